import { join } from 'node:path';
import { ensureDebianPackages, findDebianPackages, type DebianFolder } from '../../system/debian-packages.ts';
import { findExecutable } from '../../system/find-executable.ts';
import type { OnProgress } from '../../system/progress.ts';
import { runQuietly } from '../../system/run-quietly.ts';

/** An nginx, and the sources against which a module for it is built. */
export interface NginxProgram {
  readonly command: readonly string[];
  /** The folder with nginx's sources, `configure` and `conf_flags`, as in Debian's nginx-dev. */
  readonly headers: string;
}

const SOURCES = 'usr/share/nginx/src';
const PROGRAM = 'usr/sbin/nginx';

/**
 * Returns this machine's nginx; undefined if there is none. Also looks in /usr/sbin, where Debian installs nginx and
 * which a user's PATH often does not include.
 */
export function findNginx(headers = join('/', SOURCES)): NginxProgram | undefined {
  const found = findExecutable('nginx') ?? findExecutable(join('/', PROGRAM));
  return found === undefined ? undefined : { command: [found], headers };
}

/** Debian 13's nginx 1.26 and curl, which support HTTP/3. Debian 12's nginx 1.22 is too old. */
export interface NginxOfTrixie {
  readonly nginx: NginxProgram;
  readonly curl: readonly string[];
}

const TRIXIE = {
  release: 'trixie',
  programs: ['nginx', 'curl'],
  files: ['nginx-dev'],
} as const;

/** Returns the programs if they were downloaded earlier. For tests, which download nothing. */
export function findNginxOfTrixie(): NginxOfTrixie | undefined {
  const debian = findDebianPackages(TRIXIE);
  return debian && inFolder(debian);
}

/** Downloads the programs, 16 MB. Throws an Error if that fails. */
export const ensureNginxOfTrixie = async (onProgress: OnProgress): Promise<NginxOfTrixie> =>
  inFolder(await ensureDebianPackages(TRIXIE, onProgress));

const inFolder = (debian: DebianFolder): NginxOfTrixie => ({
  nginx: {
    command: debian.command(PROGRAM),
    headers: join(debian.folder, SOURCES),
  },
  curl: debian.command('usr/bin/curl'),
});

/** Returns nginx's version and configure flags. */
export async function describeNginx({ command }: NginxProgram): Promise<{ version: string; text: string }> {
  // nginx prints its version to stderr.
  const text = await runQuietly('sh', ['-c', '"$@" -V 2>&1', 'sh', ...command]);
  return { version: /nginx\/([\d.]+)/.exec(text)?.[1] ?? 'unknown', text };
}

/** The version of this machine's nginx, such as `1.22.1`. */
export async function nginxVersion(): Promise<string> {
  const nginx = findNginx();
  return nginx === undefined ? 'unknown' : (await describeNginx(nginx)).version;
}

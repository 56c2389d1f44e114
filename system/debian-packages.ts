import { existsSync } from 'node:fs';
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildFolder } from './build-folder.ts';
import { cacheFolder, cacheKey } from './cache.ts';
import { findExecutable } from './find-executable.ts';
import type { OnProgress } from './progress.ts';
import { runQuietly } from './run-quietly.ts';

const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';
const LIBRARIES = 'usr/lib/x86_64-linux-gnu';
const LOADER = join(LIBRARIES, 'ld-linux-x86-64.so.2');

/** Programs from another Debian release, unpacked into a folder. They are not installed, so root is not needed. */
export interface DebianFolder {
  readonly folder: string;
  /** Returns the command that runs a program from the folder with the folder's own libraries. */
  command(program: string): readonly string[];
}

/** Returns the reason why packages of another release cannot be unpacked on this machine, or null. */
export function missingDebianPackagesReason(): string | null {
  if (process.platform !== 'linux' || process.arch !== 'x64') return 'only Linux on x86-64 runs them';
  for (const tool of ['apt-get', 'dpkg-deb'])
    if (findExecutable(tool) === undefined) return `no ${tool}: not Debian`;
  return existsSync(KEYRING) ? null : `${KEYRING} is missing: apt-get install debian-archive-keyring`;
}

export interface DebianPackages {
  /** The release's name, such as `trixie`. */
  readonly release: string;
  /** Packages to unpack with all their dependencies. */
  readonly programs: readonly string[];
  /** Packages to unpack without their dependencies. */
  readonly files: readonly string[];
}

const packageFolder = (packages: DebianPackages): string =>
  join(cacheFolder(), `debian-${packages.release}-${cacheKey(packages)}`);

/** Returns packages that were downloaded earlier, or undefined. */
export function findDebianPackages(packages: DebianPackages): DebianFolder | undefined {
  const folder = packageFolder(packages);
  return existsSync(folder) ? openFolder(folder) : undefined;
}

const openFolder = (folder: string): DebianFolder => ({
  folder,
  command: (program) => [
    join(folder, LOADER),
    '--library-path',
    join(folder, LIBRARIES),
    join(folder, program),
  ],
});

/**
 * Downloads packages of a Debian release into the project's cache, unless the cache has them already. Throws an Error
 * if a package does not exist or the archive does not respond.
 */
export async function ensureDebianPackages(
  packages: DebianPackages,
  onProgress: OnProgress,
): Promise<DebianFolder> {
  const found = findDebianPackages(packages);
  if (found !== undefined) return found;
  const missing = missingDebianPackagesReason();
  if (missing !== null) throw new Error(`packages of Debian ${packages.release}: ${missing}`);
  const names = [...packages.programs, ...packages.files].join(', ');
  onProgress({ task: `Downloading ${names} of Debian ${packages.release} (some 16 MB)` });
  const folder = packageFolder(packages);
  await buildFolder(folder, (unfinished, signal) => download(unfinished, packages, signal), { reuse: true });
  return openFolder(folder);
}

/**
 * Downloads with a separate, empty apt state, so that apt also downloads libraries that are already installed on this
 * machine.
 */
async function download(
  root: string,
  { release, programs, files }: DebianPackages,
  signal: AbortSignal,
): Promise<void> {
  const folder = join(root, 'apt');
  const archives = join(folder, 'cache/archives');
  for (const path of ['state/lists/partial', 'cache/archives/partial'])
    await mkdir(join(folder, path), { recursive: true });
  await writeFile(join(folder, 'status'), '');
  await writeFile(
    join(folder, 'sources.list'),
    `deb [signed-by=${KEYRING}] http://deb.debian.org/debian ${release} main\n`,
  );
  await writeFile(
    join(folder, 'apt.conf'),
    `Dir::State "${folder}/state";
Dir::State::status "${folder}/status";
Dir::Cache "${folder}/cache";
Dir::Etc::sourcelist "${folder}/sources.list";
Dir::Etc::sourceparts "/dev/null";
APT::Sandbox::User "";
APT::Install-Recommends "0";
Acquire::Languages "none";
Acquire::Retries "3";
`,
  );
  const apt = (...args: string[]): Promise<string> =>
    runQuietly('apt-get', ['-qq', ...args], {
      cwd: archives,
      env: { ...process.env, APT_CONFIG: join(folder, 'apt.conf') },
      signal,
    });
  await apt('update');
  await apt('install', '-y', '--download-only', ...programs);
  if (files.length > 0) await apt('download', ...files);
  for (const name of (await readdir(archives)).filter((file) => file.endsWith('.deb')))
    await runQuietly('dpkg-deb', ['-x', join(archives, name), root], { signal });
  await rm(folder, { recursive: true });
}

import { existsSync } from 'node:fs';
import { copyFile, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { aptCommand, canUseApt, ensureAptPackages } from '../../../../system/apt.ts';
import { buildFolder } from '../../../../system/build-folder.ts';
import { cacheFolder, cacheKey } from '../../../../system/cache.ts';
import { findExecutable } from '../../../../system/find-executable.ts';
import { errorLine } from '../../../../system/error-line.ts';
import type { OnProgress } from '../../../../system/progress.ts';
import { runQuietly } from '../../../../system/run-quietly.ts';
import { buildTransport, crateFolder } from '../../../../transport/build.ts';
import type { Needs, Scheme } from '../scheme.ts';

export interface InstalledPrograms {
  /** The path of each program, by its name. */
  readonly programs: Readonly<Record<string, string>>;
  /** The reason, in one line, for each scheme that cannot run here, by the scheme's name. */
  readonly lacking: Readonly<Record<string, string>>;
}

const PROGRAMS = fileURLToPath(new URL('../programs/', import.meta.url));
/** Debian installs some servers in a folder that may not be on a user's PATH. */
const ALSO = '/usr/sbin';

/**
 * Installs the schemes' programs. A scheme whose installation fails is listed in `lacking` with the reason, and the
 * other schemes are still installed.
 */
export async function installSchemes(
  schemes: readonly Scheme[],
  onProgress: OnProgress,
): Promise<InstalledPrograms> {
  const programs: Record<string, string> = {};
  const lacking: Record<string, string> = {};
  const failures = new Map<string, string>();
  for (const { name, needs } of schemes) {
    const key = JSON.stringify({ ...needs, congestionControl: undefined });
    try {
      const failed = failures.get(key);
      if (failed !== undefined) throw new Error(failed);
      Object.assign(programs, await install(needs, onProgress));
    } catch (error) {
      lacking[name] = errorLine(error);
      failures.set(key, errorLine(error));
    }
  }
  return { programs, lacking };
}

async function install(
  { apt = {}, go, transport }: Needs,
  onProgress: OnProgress,
): Promise<Record<string, string>> {
  const missing = Object.entries(apt).filter(([program]) => findProgram(program) === undefined);
  if (missing.length > 0) {
    const packages = missing.map(([, debianPackage]) => debianPackage);
    if (!canUseApt()) throw new Error(`no ${missing[0]?.[0] ?? ''}; ${aptCommand(...packages)}`);
    await ensureAptPackages(packages, onProgress);
  }
  const installed: Record<string, string> = {};
  for (const program of Object.keys(apt)) {
    const path = findProgram(program);
    if (path === undefined) throw new Error(`the package ${apt[program] ?? ''} has no ${program}`);
    installed[program] = path;
  }
  if (go !== undefined)
    installed[go] = await cached(go, PROGRAMS, (target) => buildGo(go, target, onProgress));
  if (transport !== undefined)
    installed[transport] = await cached(transport, crateFolder, async (target) => {
      await copyFile(await buildTransport(onProgress), target);
    });
  return installed;
}

function findProgram(program: string): string | undefined {
  const also = join(ALSO, program);
  return findExecutable(program) ?? (existsSync(also) ? also : undefined);
}

/**
 * Keeps a program in the cache, built once per version of its sources, so that a machine without a network can use the
 * program.
 */
async function cached(
  program: string,
  sources: string,
  build: (target: string) => Promise<void>,
): Promise<string> {
  const folder = join(cacheFolder(), `scheme-${program}-${cacheKey(await readSources(sources))}`);
  await buildFolder(folder, (unfinished) => build(join(unfinished, program)), { reuse: true });
  return join(folder, program);
}

async function buildGo(program: string, target: string, onProgress: OnProgress): Promise<void> {
  if (findExecutable('go') === undefined) throw new Error('no go; install Go 1.24 or newer, and gcc');
  onProgress({ task: `Building ${program} with go` });
  await runQuietly('go', ['build', '-o', target, `./${program}`], { cwd: PROGRAMS });
}

async function readSources(folder: string): Promise<Record<string, string>> {
  const sources: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) sources[path.slice(folder.length)] = await readFile(path, 'utf8');
  }
  return sources;
}

import { existsSync } from 'node:fs';
import { chmod, copyFile, cp, readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { aptCommand, canUseApt, ensureAptPackages } from '../../../../system/apt.ts';
import { buildFolder } from '../../../../system/build-folder.ts';
import { cacheFolder, cacheKey } from '../../../../system/cache.ts';
import { findExecutable } from '../../../../system/find-executable.ts';
import { lineOf } from '../../../../system/line-of.ts';
import type { OnProgress } from '../../../../system/progress.ts';
import { runQuietly } from '../../../../system/run-quietly.ts';
import type { Needs, Scheme } from '../scheme.ts';

/** The programs of schemes that this machine has. */
export interface InstalledPrograms {
  /** The path of each program, by its name. */
  readonly programs: Readonly<Record<string, string>>;
  /** Why each other scheme cannot run here, in a line, by the scheme's name. */
  readonly lacking: Readonly<Record<string, string>>;
}

const PROGRAMS = fileURLToPath(new URL('../programs/', import.meta.url));
/** Debian puts some servers where a person's PATH may not lead. */
const ALSO = '/usr/sbin';
const TOOLCHAINS = {
  cargo: { tool: 'cargo', about: 'Rust, for its cargo' },
  go: { tool: 'go', about: 'Go, and gcc' },
} as const;
type Toolchain = keyof typeof TOOLCHAINS;

/** Installs what schemes need; one that cannot be installed is lacking, with the reason, and the others go on. */
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
      lacking[name] = lineOf(error);
      failures.set(key, lineOf(error));
    }
  }
  return { programs, lacking };
}

async function install(
  { apt = {}, cargo, go }: Needs,
  onProgress: OnProgress,
): Promise<Record<string, string>> {
  const missing = Object.entries(apt).filter(([program]) => found(program) === undefined);
  if (missing.length > 0) {
    const packages = missing.map(([, debianPackage]) => debianPackage);
    if (!canUseApt()) throw new Error(`no ${missing[0]?.[0] ?? ''}; ${aptCommand(...packages)}`);
    await ensureAptPackages(packages, onProgress);
  }
  const installed: Record<string, string> = {};
  for (const program of Object.keys(apt)) {
    const path = found(program);
    if (path === undefined) throw new Error(`the package ${apt[program] ?? ''} has no ${program}`);
    installed[program] = path;
  }
  if (cargo) installed[cargo.program] = await built('cargo', cargo, onProgress);
  if (go) installed[go.program] = await built('go', go, onProgress);
  return installed;
}

function found(program: string): string | undefined {
  const also = join(ALSO, program);
  return findExecutable(program) ?? (existsSync(also) ? also : undefined);
}

/** Builds a program of `programs/` into the cache, once for each state of its sources. */
async function built(
  toolchain: Toolchain,
  { folder, program }: { readonly folder: string; readonly program: string },
  onProgress: OnProgress,
): Promise<string> {
  const from = join(PROGRAMS, folder);
  const target = join(cacheFolder(), `scheme-${program}-${cacheKey(await sourcesOf(from))}`);
  const path = join(target, program);
  if (existsSync(path)) return path;
  const { tool, about } = TOOLCHAINS[toolchain];
  if (findExecutable(tool) === undefined) throw new Error(`no ${tool}; install ${about}`);
  onProgress({ task: `Building ${program} with ${tool}` });
  await buildFolder(
    target,
    async (content, signal) => {
      const work = join(content, 'source');
      await cp(from, work, { recursive: true });
      await (toolchain === 'cargo'
        ? runQuietly('cargo', ['build', '--release', '--quiet'], { cwd: work, signal })
        : runQuietly('go', ['build', '-o', `${program}-built`, `./${program}`], { cwd: work, signal }));
      const made =
        toolchain === 'cargo' ? join(work, 'target/release', program) : join(work, `${program}-built`);
      await copyFile(made, join(content, program));
      await chmod(join(content, program), 0o755);
      await rm(work, { recursive: true });
    },
    { reuse: true },
  );
  return path;
}

async function sourcesOf(folder: string): Promise<Record<string, string>> {
  const sources: Record<string, string> = {};
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (entry.isFile()) sources[path.slice(folder.length)] = await readFile(path, 'utf8');
  }
  return sources;
}

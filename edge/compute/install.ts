import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buildFolder } from '../../system/build-folder.ts';
import { cacheFolder } from '../../system/cache.ts';
import { findExecutable } from '../../system/find-executable.ts';
import { withEstimate, type OnProgress } from '../../system/progress.ts';
import { runQuietly } from '../../system/run-quietly.ts';

/**
 * The version of Fastly's compiler from JavaScript to WebAssembly. The compiler has 450 MB, so it is installed only for
 * commands that need the compiler.
 */
export const JS_COMPUTE_VERSION = '3.46.0';
/** The version of Viceroy, Fastly's local server for Compute services. */
export const VICEROY_VERSION = '0.22.0';
/** The typical time to build Viceroy on two cores, used to estimate the remaining time. */
const VICEROY_BUILD_S = 600;

const jsComputeFolder = (): string => join(cacheFolder(), `js-compute-${JS_COMPUTE_VERSION}`);
const jsComputeCli = (): string =>
  join(jsComputeFolder(), 'node_modules/@fastly/js-compute/dist/cli/js-compute-runtime-cli.js');

const viceroyFolder = (): string => join(cacheFolder(), `viceroy-${VICEROY_VERSION}`);
const viceroyBinary = (): string =>
  join(viceroyFolder(), 'bin', process.platform === 'win32' ? 'viceroy.exe' : 'viceroy');

/** Returns the path of the compiler. Installs it into the project's cache with npm if it is missing. */
export async function ensureJsCompute(onProgress: OnProgress): Promise<string> {
  if (existsSync(jsComputeCli())) return jsComputeCli();
  onProgress({
    task: `Installing @fastly/js-compute ${JS_COMPUTE_VERSION} into the cache (450 MB, half a minute)`,
  });
  const install = async (folder: string, signal: AbortSignal): Promise<void> => {
    await writeFile(join(folder, 'package.json'), '{ "private": true }\n');
    const args = ['install', '--no-audit', '--no-fund', `@fastly/js-compute@${JS_COMPUTE_VERSION}`];
    await runQuietly('npm', args, { cwd: folder, shell: process.platform === 'win32', signal });
  };
  await buildFolder(jsComputeFolder(), install, { reuse: true });
  return jsComputeCli();
}

/** Finds an installed Viceroy: in the cache, or on the PATH if it has the pinned version. */
export async function findViceroy(): Promise<string | undefined> {
  if (existsSync(viceroyBinary())) return viceroyBinary();
  const onPath = findExecutable('viceroy');
  if (onPath === undefined) return undefined;
  const version = await runQuietly(onPath, ['--version']).catch(() => '');
  return version.includes(VICEROY_VERSION) ? onPath : undefined;
}

/** Returns the path of Viceroy. Builds it into the project's cache with cargo if it is missing. */
export async function ensureViceroy(onProgress: OnProgress): Promise<string> {
  const found = await findViceroy();
  if (found !== undefined) return found;
  if (findExecutable('cargo') === undefined) {
    throw new Error(
      'Viceroy is not installed and cargo is not on the PATH; install Rust, then run the command again',
    );
  }
  const build = (folder: string, signal: AbortSignal): Promise<unknown> => {
    const args = ['install', 'viceroy', '--version', VICEROY_VERSION, '--locked', '--root', folder];
    const task = `Building Viceroy ${VICEROY_VERSION} with cargo`;
    return withEstimate(task, VICEROY_BUILD_S, onProgress, () => runQuietly('cargo', args, { signal }));
  };
  await buildFolder(viceroyFolder(), build, { reuse: true });
  return viceroyBinary();
}

import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cacheFolder, cacheKey } from '../system/cache.ts';
import { findExecutable } from '../system/find-executable.ts';
import type { OnProgress } from '../system/progress.ts';
import { runQuietly } from '../system/run-quietly.ts';

export const crateFolder = fileURLToPath(new URL('.', import.meta.url));

/**
 * Returns the folder in which cargo builds the crate. It is outside of the checkout, and kept between runs. Each
 * checkout has its own folder, because in a shared one cargo would reuse a newer program with another checkout's
 * sources and models.
 */
export const targetFolder = (): string => join(cacheFolder(), `transport-target-${cacheKey(crateFolder)}`);

/** Returns the reason why this machine cannot build the crate, or undefined. */
export const missingToolchain = (): string | undefined =>
  findExecutable('cargo') === undefined
    ? 'cargo is not on the PATH, and transport/ is in Rust; install Rust 1.88 or newer, then run it again'
    : undefined;

/** Builds the program of `transport/` with cargo if its sources have changed, and returns its path. */
export async function buildTransport(onProgress: OnProgress): Promise<string> {
  const missing = missingToolchain();
  if (missing !== undefined) throw new Error(missing);
  onProgress({ task: 'Building transport/ with cargo (some minutes the first time)' });
  await runQuietly('cargo', ['build', '--release', '--locked', '--quiet', '--bin', 'transport'], {
    cwd: crateFolder,
    env: { ...process.env, CARGO_TARGET_DIR: targetFolder() },
  });
  return join(targetFolder(), 'release', process.platform === 'win32' ? 'transport.exe' : 'transport');
}

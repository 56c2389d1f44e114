import { findExecutable } from './find-executable.ts';
import type { OnProgress } from './progress.ts';
import { runQuietly } from './run-quietly.ts';

/** Whether this process can install Debian packages: it is root, and apt-get is installed. */
export const canUseApt = (): boolean => process.getuid?.() === 0 && findExecutable('apt-get') !== undefined;

/** The command with which a user installs Debian packages. */
export const aptCommand = (...packages: string[]): string => `sudo apt-get install ${packages.join(' ')}`;

let updated: Promise<string> | undefined;

/** Installs Debian packages. */
export async function ensureAptPackages(packages: readonly string[], onProgress: OnProgress): Promise<void> {
  onProgress({ task: `Installing ${packages.join(', ')} with apt` });
  updated ??= aptGet('update');
  await updated;
  await aptGet('install', ...packages);
}

/**
 * Runs apt-get without prompts, and without recommended packages. Waits up to 120 s for another apt that holds the
 * lock, for example just after the machine booted.
 */
export function aptGet(command: 'update' | 'install', ...args: string[]): Promise<string> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = ['-qq', '-y', '--no-install-recommends', '-o', 'DPkg::Lock::Timeout=120'];
  return runQuietly('apt-get', [command, ...options, ...args], { env });
}

import { findExecutable } from './find-executable.ts';
import type { OnProgress } from './progress.ts';
import { runQuietly } from './run-quietly.ts';

/** Whether this process can install Debian packages: it is root, and apt-get is installed. */
export const canUseApt = (): boolean => process.getuid?.() === 0 && findExecutable('apt-get') !== undefined;

/** The command with which a user installs Debian packages. */
export const aptCommand = (...packages: string[]): string => `sudo apt-get install ${packages.join(' ')}`;

let updated: Promise<string> | undefined;

/** Installs Debian packages without prompts and without recommended packages. */
export async function ensureAptPackages(packages: readonly string[], onProgress: OnProgress): Promise<void> {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  // Wait up to 120 s for another apt that holds the lock, for example just after the machine booted.
  const patient = ['-qq', '-o', 'DPkg::Lock::Timeout=120'];
  onProgress({ task: `Installing ${packages.join(', ')} with apt` });
  updated ??= runQuietly('apt-get', ['update', ...patient], { env });
  await updated;
  await runQuietly('apt-get', ['install', ...patient, '-y', '--no-install-recommends', ...packages], { env });
}

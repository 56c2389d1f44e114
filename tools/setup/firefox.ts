import { aptCommand, canUseApt, ensureAptPackages } from '../../system/apt.ts';
import { findExecutable } from '../../system/find-executable.ts';
import type { OnProgress } from '../../system/progress.ts';

export const INSTALL_FIREFOX = aptCommand('firefox-esr');

/** A stock Firefox on the PATH. */
export const findFirefox = (): string | undefined => findExecutable('firefox-esr', 'firefox');

/** Why the tests in Firefox are skipped here, or null. */
export const firefoxLack = (): string | null =>
  findFirefox() === undefined ? `no Firefox is on the PATH; install it with: ${INSTALL_FIREFOX}` : null;

/** Installs Firefox where it is missing and this process may use apt; returns what is lacking after that. */
export async function ensureFirefox(onProgress: OnProgress): Promise<string | null> {
  if (findFirefox() !== undefined || !canUseApt()) return firefoxLack();
  try {
    await ensureAptPackages(['firefox-esr'], onProgress);
  } catch (error) {
    return `installing Firefox failed (${(error as Error).message})`;
  }
  return firefoxLack();
}

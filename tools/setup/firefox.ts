import { aptCommand, canUseApt, ensureAptPackages } from '../../system/apt.ts';
import { findExecutable } from '../../system/find-executable.ts';
import type { OnProgress } from '../../system/progress.ts';

export const INSTALL_FIREFOX = aptCommand('firefox-esr');

/** Finds a stock Firefox on the PATH. */
export const findFirefox = (): string | undefined => findExecutable('firefox-esr', 'firefox');

/** The reason why the tests in Firefox are skipped here, or null. */
export const missingFirefoxReason = (): string | null =>
  findFirefox() === undefined ? `no Firefox is on the PATH; install it with: ${INSTALL_FIREFOX}` : null;

/** Installs Firefox if it is missing and this process may use apt. */
export async function ensureFirefox(onProgress: OnProgress): Promise<void> {
  if (findFirefox() === undefined && canUseApt()) await ensureAptPackages(['firefox-esr'], onProgress);
}

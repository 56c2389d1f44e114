import { existsSync } from 'node:fs';
import { chromium } from '@playwright/test';
import { aptCommand, canUseApt, ensureAptPackages } from '../../system/apt.ts';
import { findExecutable } from '../../system/find-executable.ts';
import type { OnProgress } from '../../system/progress.ts';

export const INSTALL_CHROMIUM = `${aptCommand('chromium')}, or npx playwright install chromium`;

/** A Chromium that is here: on the PATH, or Playwright's own. */
export function findChromium(): string | undefined {
  const onPath = findExecutable('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');
  if (onPath !== undefined) return onPath;
  const own = chromium.executablePath();
  return existsSync(own) ? own : undefined;
}

/** A Chromium for Playwright's `executablePath`, installed with apt where this process may; all of them play VP9. */
export async function ensureChromium(onProgress: OnProgress = () => undefined): Promise<string> {
  const found = findChromium();
  if (found !== undefined) return found;
  let reason = 'no Chromium is on the PATH';
  if (canUseApt()) {
    try {
      await ensureAptPackages(['chromium'], onProgress);
      const installed = findChromium();
      if (installed !== undefined) return installed;
    } catch (error) {
      reason += `, and installing it failed (${(error as Error).message})`;
    }
  }
  throw new Error(`${reason}; install it with: ${INSTALL_CHROMIUM}`);
}

import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { chromium as Chromium } from '@playwright/test';
import { aptCommand, canUseApt, ensureAptPackages } from '../../../system/apt.ts';
import { findExecutable } from '../../../system/find-executable.ts';
import type { OnProgress } from '../../../system/progress.ts';
import { runQuietly } from '../../../system/run-quietly.ts';

export const INSTALL_CHROMIUM = `${aptCommand('chromium')}, or npx playwright install chromium`;

/** Finds an installed Chromium: on the PATH, or Playwright's own. */
export function findChromium(): string | undefined {
  const onPath = findExecutable('chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable');
  if (onPath !== undefined) return onPath;
  // Loaded on demand, because it takes long.
  const { chromium } = createRequire(import.meta.url)('@playwright/test') as { chromium: typeof Chromium };
  const own = chromium.executablePath();
  return existsSync(own) ? own : undefined;
}

/**
 * Finds Chromium's headless shell, or else the whole Chromium. The shell plays, fetches and stores in the same way with
 * a third less processor time (19 instead of 28 CPU seconds for the tests of e2e/adapter.spec.ts).
 */
export const findHeadlessChromium = (): string | undefined =>
  findExecutable('chromium-headless-shell') ?? findChromium();

/** Installs Chromium's headless shell with apt, if this process has the permission. */
export async function ensureHeadlessShell(onProgress: OnProgress): Promise<void> {
  if (findExecutable('chromium-headless-shell') === undefined && canUseApt())
    await ensureAptPackages(['chromium-headless-shell'], onProgress);
}

/**
 * Finds a Chromium for Playwright's `executablePath`, or installs one with apt if this process has the permission. Each
 * of these browsers plays VP9.
 */
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

export async function chromiumVersion(): Promise<string> {
  const said = await runQuietly(findChromium() ?? 'chromium', ['--version']).catch(() => 'unknown');
  return /[\d.]{3,}/.exec(said)?.[0] ?? said;
}

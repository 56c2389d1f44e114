import type { Browser } from '@playwright/test';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { findChromium, INSTALL_CHROMIUM } from '../../host/setup/chromium.ts';
import { enterNetwork } from '../../network/links/shell.ts';

const FLAGS = [
  '--no-sandbox',
  '--autoplay-policy=no-user-gesture-required',
  '--mute-audio',
  '--disable-dev-shm-usage',
  '--disable-gpu',
];

/**
 * Starts headless Chromium in the network of process `pid`. Playwright runs outside, and controls the browser over a
 * pipe, so this control does not use the link. Throws an Error if there is no Chromium.
 */
export async function openBrowser(pid: number): Promise<Browser> {
  const executable = findChromium();
  if (executable === undefined) throw new Error(`no Chromium; install it with: ${INSTALL_CHROMIUM}`);
  const folder = await mkdtemp(join(tmpdir(), 'dashjs-sammy-browser-'));
  try {
    // A launcher script, because Playwright starts a program by its path, and cannot start it with a command prefix.
    const launcher = join(folder, 'chromium');
    const words = [...enterNetwork(pid), executable].map((word) => `'${word}'`).join(' ');
    await writeFile(launcher, `#!/bin/sh\nexec ${words} "$@"\n`);
    await chmod(launcher, 0o755);
    // Loaded on demand: most viewers need no browser, and loading takes long.
    const { chromium } = await import('@playwright/test');
    return await chromium.launch({
      executablePath: launcher,
      args: FLAGS,
      // Disabled, because on Ctrl-C the run's process ends all parts of the run in the right order.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
    });
  } finally {
    // The launcher is no longer needed once the browser runs.
    await rm(folder, { recursive: true, force: true });
  }
}

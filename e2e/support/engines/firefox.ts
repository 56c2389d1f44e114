import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import puppeteer, { type Browser, type Page } from 'puppeteer-core';
import { findExecutable } from '../../../system/find-executable.ts';
import { findFirefox, missingFirefoxReason } from '../../../tools/setup/firefox.ts';
import { test as base } from '../fixtures.ts';

const AUTOPLAY = { 'media.autoplay.default': 0, 'media.autoplay.blocking_policy': 0 };

/**
 * Starts a stock Firefox for all tests and drives it over WebDriver BiDi, because Playwright can drive only its own
 * patched build. Firefox writes into its own folder, which is removed at the end. If the tests are killed, the kernel
 * ends Firefox too. The folder is inside Playwright's output folder, which Playwright empties before its next run.
 */
async function launchFirefox(
  outputFolder: string,
): Promise<{ browser: Browser; close: () => Promise<void> }> {
  const firefox = findFirefox();
  if (firefox === undefined) throw new Error(missingFirefoxReason() ?? 'no Firefox');
  await mkdir(outputFolder, { recursive: true });
  const home = await mkdtemp(join(outputFolder, 'firefox-'));
  const removeHome = () => rm(home, { recursive: true, force: true, maxRetries: 10 });
  const setpriv = findExecutable('setpriv');
  try {
    const browser = await puppeteer.launch({
      browser: 'firefox',
      protocol: 'webDriverBiDi',
      executablePath: setpriv ?? firefox,
      ignoreDefaultArgs: true,
      args: [
        ...(setpriv === undefined ? [] : ['--pdeathsig', 'KILL', '--', firefox]),
        '--headless',
        '--profile',
        join(home, 'profile'),
      ],
      env: { ...process.env, HOME: home, TMPDIR: home, XDG_CACHE_HOME: home, XDG_CONFIG_HOME: home },
      extraPrefsFirefox: AUTOPLAY,
      // Playwright handles signals, and closes the browsers of its tests.
      handleSIGINT: false,
      handleSIGTERM: false,
      handleSIGHUP: false,
      timeout: 60_000,
    });
    const close = async () => {
      try {
        await browser.close();
      } finally {
        await removeHome();
      }
    };
    return { browser, close };
  } catch (error) {
    await removeHome();
    throw error;
  }
}

/** The fixture `tab` is a page in Firefox with an empty cache and storage. */
export const test = base.extend<{ tab: Page }, { firefox: Browser }>({
  firefox: [
    // Playwright requires that the first parameter is destructured.
    // oxlint-disable-next-line no-empty-pattern
    async ({}, use, { project }) => {
      const { browser, close } = await launchFirefox(project.outputDir);
      try {
        await use(browser);
      } finally {
        await close();
      }
    },
    // Firefox takes seconds to start, and much longer on a busy machine.
    { scope: 'worker', timeout: 90_000 },
  ],
  tab: async ({ firefox }, use) => {
    const context = await firefox.createBrowserContext();
    try {
      await use(await context.newPage());
    } finally {
      await context.close();
    }
  },
});

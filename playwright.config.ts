import { defineConfig } from '@playwright/test';
import { findChromium, findHeadlessChromium } from './emulation/host/setup/chromium.ts';

/**
 * Returns options to start a browser without a screen. If `executablePath` is undefined, Playwright starts its own
 * browser.
 */
const started = (executablePath: string | undefined) => ({
  launchOptions: {
    ...(executablePath !== undefined && { executablePath }),
    args: [
      '--no-sandbox',
      '--autoplay-policy=no-user-gesture-required',
      '--mute-audio',
      '--disable-dev-shm-usage',
      '--disable-gpu',
    ],
  },
});
/** The headless browser, of which three can run at the same time on two cores. */
const light = started(findHeadlessChromium());
const whole = started(findChromium());

export default defineConfig({
  testDir: 'e2e',
  projects: [
    // These tests wait for playback and measure no throughput, so three of them share two cores, beside computing
    // steps.
    { name: 'behavior', testMatch: 'e2e/*.spec.ts', fullyParallel: true, use: light },
    // These tests measure throughput, so no other test may run at the same time.
    { name: 'measured', testMatch: 'e2e/measured/*.spec.ts', use: whole },
    // The same two kinds of tests for `npm run test:all`.
    { name: 'long', testMatch: 'e2e/long/*.spec.ts', fullyParallel: true, use: light },
    { name: 'long measured', testMatch: 'e2e/long/measured/*.spec.ts', use: whole },
  ],
  workers: 1,
  // Longer than all waits of a test on a busy machine.
  timeout: 120_000,
  // A test that passes on the second attempt is listed as flaky and does not fail the run.
  retries: 1,
  // Polls wait for segments, which arrive no faster than they play.
  expect: { timeout: 30_000 },
  use: { browserName: 'chromium' },
});

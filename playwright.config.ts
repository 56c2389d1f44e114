import { defineConfig } from '@playwright/test';
import { findChromium, findHeadlessChromium } from './emulation/host/setup/chromium.ts';

/** How to start a browser, in a session without a screen; Playwright's own browser if `executablePath` is undefined. */
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
/** For three concurrent browsers on two cores. */
const light = started(findHeadlessChromium());
const whole = started(findChromium());

export default defineConfig({
  testDir: 'e2e',
  projects: [
    // These wait for playback and measure no throughput: three of them share two cores, beside what computes.
    { name: 'behavior', testMatch: 'e2e/*.spec.ts', fullyParallel: true, use: light },
    // These measure throughput, which a test that runs at the same time would disturb.
    { name: 'measured', testMatch: 'e2e/measured/*.spec.ts', use: whole },
    // The same two kinds, of `npm run test:all`.
    { name: 'long', testMatch: 'e2e/long/*.spec.ts', fullyParallel: true, use: light },
    { name: 'long measured', testMatch: 'e2e/long/measured/*.spec.ts', use: whole },
  ],
  workers: 1,
  // More than a test's waits take on a busy machine.
  timeout: 120_000,
  // A test that passes on the second attempt is listed as flaky and does not fail the run.
  retries: 1,
  // Polls wait for segments, which arrive no faster than they play.
  expect: { timeout: 30_000 },
  use: { browserName: 'chromium' },
});

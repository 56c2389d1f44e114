import { defineConfig } from '@playwright/test';
import { findChromium } from './emulation/setup/chromium.ts';

/** Specs that assert a throughput, or what follows from one. */
const MEASURED = '**/measured/*';

const executablePath = findChromium();

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  projects: [
    // These wait for playback and measure no throughput: two of them share two cores, beside what computes.
    { name: 'behaviour', testIgnore: MEASURED, fullyParallel: true },
    // These measure throughput, which a test that runs at the same time would disturb.
    { name: 'measured', testMatch: MEASURED },
  ],
  workers: 1,
  // More than all that a test waits for takes on a busy machine.
  timeout: 120_000,
  retries: 0,
  // Polls wait for segments, which arrive no faster than they are played.
  expect: { timeout: 30_000 },
  use: {
    browserName: 'chromium',
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
  },
});

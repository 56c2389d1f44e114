import { defineConfig } from '@playwright/test';
import { findChromium } from './emulation/setup/chromium.ts';

const BEHAVIOUR = [
  'choosable',
  'cmcd',
  'content',
  'credentials',
  'encrypted',
  'faults',
  'firefox',
  'package',
  'preload',
  'service-worker',
].map((name) => `${name}.spec.ts`);

const executablePath = findChromium();

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  projects: [
    // These wait for playback, and measure no throughput: two of them share two cores well.
    { name: 'behaviour', testMatch: BEHAVIOUR, fullyParallel: true },
    // Tests that share two cores with each other would measure each other: one worker.
    { name: 'measured', testIgnore: BEHAVIOUR },
  ],
  workers: 1,
  timeout: 60_000,
  retries: 0,
  // A poll waits for segments, which come at the speed of playback.
  expect: { timeout: 20_000 },
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

import { defineConfig } from '@playwright/test';
import { findChromium } from './emulation/setup/chromium.ts';

const executablePath = findChromium();

export default defineConfig({
  testDir: 'e2e',
  testMatch: '*.spec.ts',
  // Throughput is measured: tests that share two cores with each other would measure each other.
  workers: 1,
  fullyParallel: false,
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

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { ensureChromium } from '../emulation/setup/chromium.ts';
import { liveLack } from '../p4/switch/live/live-lack.ts';

export const help = `
npm run demo:picture

Makes the picture at the top of the README anew, demo/screenshot.jpg: the demo behind a bottleneck, half a minute without
Sammy and half a minute with it. Linux, root.
`;

const PICTURE = fileURLToPath(new URL('screenshot.jpg', import.meta.url));
const MBPS = 40;
const EACH_MS = 32_000;
/** The film, the queue and the neighbor; the graphs below are cut off. */
const SIZE = { width: 1440, height: 716 };
const QUALITY = 85;
const START_WITHIN_MS = 300_000;
const BROWSER_ARGS = ['--no-sandbox', '--autoplay-policy=no-user-gesture-required', '--mute-audio'];

export async function main(): Promise<void> {
  const lack = liveLack();
  if (lack !== undefined)
    throw new Error(`the picture shows a bottleneck, which takes root on Linux: ${lack}`);
  const executablePath = await ensureChromium((line) => console.error(line));
  const demo = spawn('npm', ['start', '--', '--port', '0', '--bottleneck', String(MBPS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // npm ends before the demo does; its output is closed when that is gone.
  const gone = once(demo, 'close');
  try {
    const url = await addressOf(createInterface({ input: demo.stdout }));
    demo.stdout.resume();
    const browser = await chromium.launch({ executablePath, args: BROWSER_ARGS });
    try {
      const page = await browser.newPage({ viewport: SIZE });
      await page.goto(url);
      await page.click('#restart-off');
      await sleep(EACH_MS);
      await page.click('#sammy');
      await sleep(EACH_MS);
      await page.screenshot({ path: PICTURE, type: 'jpeg', quality: QUALITY });
    } finally {
      await browser.close();
    }
  } finally {
    demo.kill('SIGTERM');
    await gone;
  }
  console.log(`${PICTURE} is new`);
}

async function addressOf(lines: AsyncIterable<string>): Promise<string> {
  const deadline = performance.now() + START_WITHIN_MS;
  for await (const line of lines) {
    const [, url] = /Open (http:\S+)/.exec(line) ?? [];
    if (url !== undefined) return url;
    if (performance.now() > deadline) break;
  }
  throw new Error('npm start ended without an address; what it printed above says why');
}

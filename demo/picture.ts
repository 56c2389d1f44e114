import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { chromium } from '@playwright/test';
import { ensureChromium } from '../emulation/host/setup/chromium.ts';
import { missingLiveReason } from '../p4/switch/live/missing-live-reason.ts';
import { ARMS } from './arms.ts';
import { demoLink, turnLength_s } from './bottleneck/demo-link.ts';
import { FIRST_TURN_S } from './page/arms/turns.ts';

/** The number of turns of each player before the screenshot. The first turns are short. */
const TURNS = 3;

export const help = `
npm run demo:picture

Takes the README's picture again, demo/screenshot.jpg: the demo behind a bottleneck after ${TURNS} turns of each player.
Needs Linux and root.
`;

const PICTURE = fileURLToPath(new URL('screenshot.jpg', import.meta.url));
const MBPS = 40;
const WAIT_MS = 1000 * ARMS.length * (FIRST_TURN_S + (TURNS - 1) * turnLength_s(demoLink(MBPS)));
/** The size of the picture: it shows both players with their charts. Content below is cut off. */
const SIZE = { width: 1440, height: 780 };
const QUALITY = 85;
const START_WITHIN_MS = 300_000;
const BROWSER_ARGS = ['--no-sandbox', '--autoplay-policy=no-user-gesture-required', '--mute-audio'];

export async function main(): Promise<void> {
  const missing = missingLiveReason();
  if (missing !== undefined)
    throw new Error(`the picture shows a bottleneck, which needs root on Linux: ${missing}`);
  const executablePath = await ensureChromium((line) => console.error(line));
  const demo = spawn('npm', ['start', '--', '--port', '0', '--bottleneck', String(MBPS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  // npm ends before the demo does. 'close' is emitted when the demo has ended too, because the demo holds npm's output
  // open.
  const gone = once(demo, 'close');
  try {
    const url = await parseAddress(createInterface({ input: demo.stdout }));
    demo.stdout.resume();
    const browser = await chromium.launch({ executablePath, args: BROWSER_ARGS });
    try {
      const page = await browser.newPage({ viewport: SIZE });
      await page.goto(url);
      await sleep(WAIT_MS);
      await page.screenshot({ path: PICTURE, type: 'jpeg', quality: QUALITY });
    } finally {
      await browser.close();
    }
  } finally {
    demo.kill('SIGTERM');
    await gone;
  }
  console.log(`Wrote ${PICTURE}`);
}

async function parseAddress(lines: AsyncIterable<string>): Promise<string> {
  const deadline = performance.now() + START_WITHIN_MS;
  for await (const line of lines) {
    const [, url] = /Open (http:\S+)/.exec(line) ?? [];
    if (url !== undefined) return url;
    if (performance.now() > deadline) break;
  }
  throw new Error('npm start ended before it printed its address; see its messages above');
}

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, type Page, test } from '@playwright/test';
import { liveLack } from '../../p4/switch/live/live-lack.ts';
import { playhead } from '../support/fixtures.ts';
import { startDemo } from '../support/start-demo.ts';

/** Times that each mode has its turn, so that what the machine does besides falls on both. */
const ROUNDS = 2;
/** Responses of the neighbor in each turn: all of them take half of the film, after whose end none is counted. */
const RESPONSES = 3;

/** What a tile of the page says, without Sammy and with it. */
const tile = async (page: Page, id: string) =>
  Promise.all(
    ['without', 'with'].map(async (mode) => parseFloat((await page.textContent(`#${id}-${mode}`)) ?? '')),
  ) as Promise<[number, number]>;

/** Waits until the neighbor has had so many responses in a mode; the page draws one dot for each. */
const responses = (page: Page, mode: 'with' | 'without', count: number) =>
  expect
    .poll(() => page.getAttribute(`#response-${mode}`, 'data-responses').then(Number), { timeout: 60_000 })
    .toBeGreaterThanOrEqual(count);

/** The network namespaces that are named after a process. */
const namespaces = (): readonly string[] =>
  execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' }).match(/^sammy-\d+(?=\s|$)/gm) ?? [];
/** Where the demo's page is built. */
const pageFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('dashjs-sammy-demo-'));
/** A process that is there cleans up its own. */
const hasProcess = (namespace: string) => existsSync(`/proc/${namespace.slice('sammy-'.length)}`);

test('behind a bottleneck, the queue is short and a neighbor faster with Sammy, switched on and off on the page', async ({
  page,
}) => {
  const lack = liveLack();
  // Skipped without root, /dev/net/tun or iproute2: no process makes a link with less.
  test.skip(lack !== undefined, `a live switch takes root on Linux: ${lack}; sudo npm test`);
  test.setTimeout(300_000);
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(error.message));
  const before = namespaces();
  const foldersBefore = pageFolders();
  const demo = await startDemo('--bottleneck', '40');
  const made = namespaces().filter((namespace) => !before.includes(namespace));
  try {
    await page.goto(demo.url);
    await playhead(page, 0.5);
    await page.locator('#restart-off').click();
    await playhead(page, 1);
    for (let round = 1; round <= ROUNDS; round++) {
      await responses(page, 'without', round * RESPONSES);
      await page.locator('#sammy').click();
      await responses(page, 'with', round * RESPONSES);
      if (round < ROUNDS) await page.locator('#sammy').click();
    }
    const [slow_s, fast_s] = await tile(page, 'response');
    const [full_ms, short_ms] = await tile(page, 'wait');
    const [dropped_pct, fewer_pct] = await tile(page, 'dropped');
    // A busy machine slows only what is unpaced, so the test asks for the sign; `npm run demo:picture` says how much.
    expect(fast_s).toBeLessThan(slow_s);
    // The queue holds 20 ms.
    expect(full_ms).toBeGreaterThan(10);
    expect(short_ms).toBeLessThan(full_ms / 4);
    expect(fewer_pct).toBeLessThan(dropped_pct);
    expect(failures).toEqual([]);
  } finally {
    await demo.stop();
  }
  expect(made.length).toBeGreaterThan(0);
  expect(pageFolders().filter((folder) => !foldersBefore.includes(folder))).toEqual([]);
  expect(namespaces().filter((namespace) => made.includes(namespace) && !hasProcess(namespace))).toEqual([]);
});

test('a bottleneck that cannot be is refused in one line', () => {
  const refusal = (...args: string[]): string => {
    try {
      execFileSync('node', ['tools/run.mjs', 'start', ...args], { stdio: 'pipe', encoding: 'utf8' });
      return '';
    } catch (error) {
      return String((error as { stderr: unknown }).stderr).trim();
    }
  };
  expect(refusal('--bottleneck', '0')).toBe(
    "dashjs-sammy start: --bottleneck is '0', expected Mbit/s from 5 to 100 (docs/guide/demo.md)",
  );
  expect(refusal('--bottleneck', '40', '--allow-origin', 'http://127.0.0.1:1')).toBe(
    'dashjs-sammy start: --allow-origin and --bottleneck exclude each other: behind it the edge reaches no origin (docs/guide/demo.md)',
  );
});

import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { expect, test } from '@playwright/test';
import { missingLiveReason } from '../../p4/switch/live/missing-live-reason.ts';
import { figures, responses } from '../support/bottleneck-page.ts';
import { playhead } from '../support/fixtures.ts';
import { startDemo } from '../support/start-demo.ts';

/** Lists the network namespaces that are named after a process. */
const namespaces = (): readonly string[] =>
  execFileSync('ip', ['netns', 'list'], { encoding: 'utf8' }).match(/^sammy-\d+-\w+(?=\s|$)/gm) ?? [];
/** Lists the folders in which the demo's page is built. */
const pageFolders = () => readdirSync(tmpdir()).filter((name) => name.startsWith('dashjs-sammy-demo-'));
/** Whether the process of a namespace is running. A running process deletes its own namespaces. */
const hasProcess = (namespace: string) => existsSync(`/proc/${namespace.split('-')[1]}`);

test("behind a bottleneck, the players take turns automatically, and the queue is short in Sammy's turns", async ({
  page,
}) => {
  const missing = missingLiveReason();
  // Skipped without root, /dev/net/tun or iproute2, which a link needs.
  test.skip(
    missing !== undefined,
    `a live switch needs root on Linux: ${missing}; run it with: sudo npm test`,
  );
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
    await responses(page, 1);
    // The queue holds 20 ms. The figures cover all turns so far, so a busy moment matters little. Only a quiet machine
    // can show whether the neighbor's responses are faster: e2e/long/measured/bottleneck.spec.ts.
    await expect(async () => {
      const [full_ms, short_ms] = await figures(page, 'wait');
      const [dropped_pct, fewer_pct] = await figures(page, 'dropped');
      expect(full_ms).toBeGreaterThan(10);
      expect(short_ms).toBeLessThan(full_ms / 4);
      expect(fewer_pct).toBeLessThan(dropped_pct);
    }).toPass({ timeout: 120_000 });
    expect(await page.textContent('#detail')).toMatch(/\d\.\d\d s with Sammy, \d\.\d\d s without/);
    expect(failures).toEqual([]);
  } finally {
    await demo.stop();
  }
  expect(made.length).toBeGreaterThan(0);
  expect(pageFolders().filter((folder) => !foldersBefore.includes(folder))).toEqual([]);
  expect(namespaces().filter((namespace) => made.includes(namespace) && !hasProcess(namespace))).toEqual([]);
});

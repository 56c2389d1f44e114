import { execFileSync } from 'node:child_process';
import { ensureTestContent } from '../media/sources/footage.ts';
import { expect, playhead, test } from './support/fixtures.ts';
import { startDemo } from './support/start-demo.ts';
import { startTestEdge } from './support/test-edge.ts';

test('npm start plays a manifest from an allowed origin, and explains why it rejects another origin', async ({
  page,
}) => {
  // `npm start` builds the page, which takes many seconds on a busy machine.
  test.setTimeout(240_000);
  const { directory } = await ensureTestContent();
  const [allowed, strange] = [await startTestEdge(directory), await startTestEdge(directory)];
  const demo = await startDemo('--allow-origin', allowed.url);
  try {
    await page.goto(`${demo.url}?mpd=${allowed.url}/content/manifest.mpd`);
    await playhead(page, 2);
    await expect(page.locator('#segments tr').nth(1).locator('td').nth(4)).toHaveText(/^\d+\.\d$/);
    await page.goto(`${demo.url}?mpd=${strange.url}/content/manifest.mpd`);
    await expect(page.locator('#problem')).toContainText(`--allow-origin ${strange.url}`, {
      timeout: 20_000,
    });
    expect(strange.responses).toEqual([]);
  } finally {
    await demo.stop();
    await allowed.close();
    await strange.close();
  }
});

test('rejects an impossible bottleneck in one line', () => {
  const refusal = (...args: string[]): string => {
    try {
      execFileSync('node', ['tools/run.mjs', 'start', ...args], { stdio: 'pipe', encoding: 'utf8' });
      return '';
    } catch (error) {
      return String((error as { stderr: unknown }).stderr).trim();
    }
  };
  expect(refusal('--bottleneck', '0')).toBe(
    "dashjs-sammy start: --bottleneck is '0', expected Mbit/s from 2 to 100 (docs/guide/demo.md)",
  );
  expect(refusal('--bottleneck', '40', '--allow-origin', 'http://127.0.0.1:1')).toBe(
    'dashjs-sammy start: --allow-origin and --bottleneck exclude each other: behind the bottleneck, the edge reaches no other origin (docs/guide/demo.md)',
  );
});

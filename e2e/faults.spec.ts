import {
  decisions,
  expect,
  nothingThrown,
  pacedSegments,
  play,
  playhead,
  shortBuffer,
  summary,
  test,
} from './support/fixtures.ts';
import { outlivesARestartOfTheEdge, outlivesFailedSegments } from './support/scenarios.ts';

/** dash.js gives up after three attempts a second apart; who expects a longer outage raises that. */
const PATIENT = { streaming: { buffer: shortBuffer('5', 4), retryAttempts: { MediaSegment: 20 } } };

for (const status of [404, 503]) {
  test(`a ${status} for a segment: it is asked for again, and playback goes on`, async ({ page, edge }) => {
    await outlivesFailedSegments(page, edge, status);
  });
}

test('the edge is restarted in mid-stream: playback goes on, paced', async ({ page }) => {
  await outlivesARestartOfTheEdge(page);
});

test('a blackout of 5 s: a stall, unpaced recovery, then paced again', async ({ page, edge }) => {
  await play(page, edge, { dash: PATIENT, options: { safe_buffer_s: 2 } });
  const mark = (await pacedSegments(page, 2)).length;
  const until = Date.now() + 5000;
  // Nothing is refused and nothing arrives, as when a radio link is gone. The buffer holds less than that.
  edge.fault = async () => {
    const wait_ms = until - Date.now();
    await new Promise((resolve) => setTimeout(resolve, Math.max(0, wait_ms)));
    return undefined;
  };
  const at = await page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);
  await playhead(page, at + 8);
  const { rebuffer_count, rebuffer_ratio } = await summary(page);
  expect(rebuffer_count).toBe(1);
  expect(rebuffer_ratio).toBeGreaterThan(0);
  // What replaces the first picture has that phase too, and comes before.
  const all = (await decisions(page)).slice(mark);
  const recovery = all.findIndex(({ phase }) => phase === 'recovery');
  expect(recovery).toBeGreaterThanOrEqual(0);
  expect(all[recovery]?.requested_kbps).toBeNull();
  expect(
    all.slice(recovery).some(({ phase, requested_kbps }) => phase === 'playing' && requested_kbps !== null),
  ).toBe(true);
  await nothingThrown(page);
});

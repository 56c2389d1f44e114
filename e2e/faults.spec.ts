import {
  decisions,
  expect,
  nothingThrown,
  pacedSegments,
  play,
  playhead,
  summary,
  test,
} from './fixtures.ts';
import { startTestEdge } from './test-edge.ts';
import { ensureTestContent } from '../edge/media/footage.ts';

/** A short buffer, so that the player is fetching when the fault strikes. */
const SHORT_BUFFER = {
  streaming: {
    buffer: { bufferTimeDefault: 4, bufferTimeAtTopQuality: 4, bufferTimeAtTopQualityLongForm: 4 },
  },
};
/** dash.js gives up after three attempts a second apart; who expects a longer outage raises that. */
const PATIENT = { streaming: { ...SHORT_BUFFER.streaming, retryAttempts: { MediaSegment: 20 } } };

const isSegment = ({ pathname }: URL) => /\/\d+\.m4s$/.test(pathname);

for (const status of [404, 503]) {
  test(`a ${status} for a segment: it is asked for again, and playback goes on`, async ({ page, edge }) => {
    let failures = 0;
    await play(page, edge, { dash: SHORT_BUFFER });
    await pacedSegments(page, 2);
    edge.fault = (url) =>
      isSegment(url) && failures++ < 2 ? new Response('not now\n', { status }) : undefined;
    const at = await page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);
    await playhead(page, at + 8);
    expect(failures).toBeGreaterThan(2);
    const failed = (await decisions(page)).filter(({ outcome }) => outcome === 'failed');
    expect(failed.length).toBe(2);
    // The failures taught the estimator nothing, and the video still asks for a pace.
    expect((await decisions(page)).at(-1)?.requested_kbps).not.toBeNull();
    await nothingThrown(page);
  });
}

test('the edge is restarted in mid-stream: playback goes on, paced', async ({ page }) => {
  const { directory } = await ensureTestContent();
  let edge = await startTestEdge(directory);
  try {
    await play(page, edge, { dash: SHORT_BUFFER });
    await pacedSegments(page, 2);
    await edge.close();
    await page.waitForTimeout(1500);
    edge = await startTestEdge(directory, { port: edge.port });
    const at = await page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);
    await playhead(page, at + 8);
    expect(edge.responses.some(({ pace_kbps }) => pace_kbps !== null)).toBe(true);
    await nothingThrown(page);
  } finally {
    await edge.close();
  }
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

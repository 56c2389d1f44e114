import { ensureTestContent } from '../../media/sources/footage.ts';
import {
  decisions,
  expect,
  nothingThrown,
  play,
  playhead,
  test,
  type DrivenPage,
  type PlayOptions,
} from './fixtures.ts';
import { lowLatencyOrigin } from './low-latency-origin.ts';
import { selectSegments, type TestEdge } from './test-edge.ts';

const requestedRungs = (edge: TestEdge): number[] =>
  selectSegments(edge.responses).flatMap(({ url }) => {
    const rung = /\/v(\d+)\//.exec(url)?.[1];
    return rung === undefined ? [] : [Number(rung)];
  });

/** Plays from the live edge until `count` segments of video have been served. */
async function playLive(
  page: DrivenPage,
  edge: TestEdge,
  player: PlayOptions,
  liveDelay: number,
  count: number,
) {
  edge.responses.length = 0;
  edge.fault = await lowLatencyOrigin((await ensureTestContent()).directory);
  const dash = { streaming: { delay: { liveDelay }, utcSynchronization: { enabled: false } } };
  await play(page, edge, { ...player, format: 'umd', dash });
  await expect.poll(() => requestedRungs(edge).length, { timeout: 40_000 }).toBeGreaterThanOrEqual(count);
}

/** Defines the test of low-latency live for a version of dash.js and a live delay. */
export function testLowLatency(version: '5' | '4', liveDelay: number): void {
  test(`dash.js ${version}, low-latency live, ${liveDelay} s behind: Sammy reaches at least stock dash.js's rung, unpaced`, async ({
    page,
    edge,
  }) => {
    await playLive(page, edge, { version, order: 'none' }, liveDelay, 6);
    const stock = Math.max(...requestedRungs(edge));

    await playLive(page, edge, { version }, liveDelay, 6);
    await expect
      .poll(() => Math.max(...requestedRungs(edge)), { timeout: 40_000 })
      .toBeGreaterThanOrEqual(stock);
    await isUnpacedAtTheEncoder(page, edge);
  });
}

/**
 * Expects that a live channel continues to play, that no segment is paced, and that the size of each segment is known.
 */
async function isUnpacedAtTheEncoder(page: DrivenPage, edge: TestEdge): Promise<void> {
  const start = await page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);
  await playhead(page, start + 4);

  const live = (await decisions(page)).filter(({ media_type }) => media_type === 'video');
  expect(live.every(({ low_latency }) => low_latency)).toBe(true);
  // Not paced, because the encoder already limits the rate.
  expect(live.every(({ requested_kbps }) => requested_kbps === null)).toBe(true);
  const served = new Map(selectSegments(edge.responses).map(({ url, bytes }) => [url.split('?')[0], bytes]));
  for (const { representation, segment_start_s, size_bytes, outcome } of live) {
    const url = `/content/${representation}/${segment_start_s / 2 + 1}.m4s`;
    if (outcome === 'completed') expect(size_bytes).toBe(served.get(url));
  }
  await nothingThrown(page);
}

/** Plays a low-latency live channel with a live delay, and expects that it continues to play, unpaced. */
export async function playsLive(
  page: DrivenPage,
  edge: TestEdge,
  version: '5' | '4',
  liveDelay: number,
): Promise<void> {
  await playLive(page, edge, { version }, liveDelay, 6);
  await isUnpacedAtTheEncoder(page, edge);
}

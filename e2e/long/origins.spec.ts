import { expect, play, playhead, summary } from '../support/fixtures.ts';
import { startOtherCdn } from '../support/other-cdn.ts';
import { CELLS, isInGate, test, testCell, testNextSession } from '../support/cells/refusals.ts';
import { short, videoFrom, videoDecisions } from '../support/video-from.ts';

for (const cell of CELLS) if (!isInGate(cell)) testCell(cell);

testNextSession('4');

/** The segments of each rung that begin before 8 s. */
const CACHED = [300, 700, 1300, 2100, 3300].flatMap((rung) =>
  [1, 2, 3, 4].map((number) => `/v${rung}/${number}.m4s`),
);

test('cached segments of an origin without resource timing change neither rungs nor stored estimates nor the start', async ({
  browser,
  edge,
}) => {
  const withRate = async (rate_kbps: number) => {
    const cdn = await startOtherCdn();
    cdn.rate_kbps = rate_kbps;
    // Each context has its own cache and storage.
    const page = await (await browser.newContext()).newPage();
    const mpd = `${edge.url}/content/manifest.mpd?video=${cdn.url}`;
    const session = async () => {
      // Unpaced requests have the same URL in both sessions.
      await play(page, edge, { options: { pacing: false }, dash: short('5'), mpd });
      await playhead(page, 8);
      const video = (await videoDecisions(page)).filter(({ segment_start_s }) => segment_start_s < 8);
      const memory = await page.evaluate(() => localStorage.getItem('dashjs-sammy:initial-throughput'));
      return {
        remembered_kbps: [...(memory ?? '').matchAll(/"throughput_kbps":(\d+)/g)].map(([, rate]) =>
          Number(rate),
        ),
        estimates_kbps: video.map(({ estimate_kbps }) => estimate_kbps ?? 0),
        bitrates_kbps: video.map(({ bitrate_kbps }) => bitrate_kbps),
        delay_ms: (await summary(page)).play_delay_ms ?? Infinity,
        requests: cdn.requests.splice(0),
      };
    };
    const cold = await session();
    // Cache all of these segments, because the speed of the machine decides which rungs the two sessions request.
    cdn.rate_kbps = Infinity;
    await page.evaluate(
      (urls) => Promise.all(urls.map(async (url) => (await fetch(url)).arrayBuffer())).then(() => undefined),
      CACHED.map((path) => cdn.url + path),
    );
    [cdn.rate_kbps, cdn.requests.length] = [rate_kbps, 0];
    const result = { rate_kbps, cold, cached: await session() };
    await page.context().close();
    await cdn.close();
    return result;
  };
  await videoFrom(undefined, edge);
  test.slow();
  // Play one after the other, because a cache read of more than 50 ms counts as a network download.
  for (const rate of [1500, 2500, 5000]) {
    const { rate_kbps, cold, cached } = await withRate(rate);
    expect(cached.requests.filter((path) => CACHED.includes(path), `requests at ${rate_kbps}`)).toEqual([]);
    expect(Math.max(...cold.remembered_kbps, ...cached.remembered_kbps)).toBeLessThan(1.2 * rate_kbps);
    // Audio and video may each have this rate at the same time; a cache has hundreds of Mbit/s.
    expect(Math.max(...cached.estimates_kbps)).toBeLessThan(3 * rate_kbps);
    expect(Math.max(...cached.bitrates_kbps)).toBeLessThan(2 * rate_kbps);
    // Cached responses are no throughput samples, so this session may stay at the first one's initial rung.
    expect(Math.max(...cached.bitrates_kbps)).toBeGreaterThanOrEqual(
      Math.max(...cold.bitrates_kbps.slice(0, 2)),
    );
    // A session whose first rung was above the link's rate started 0.8 s later.
    expect(cached.bitrates_kbps[0]).toBeLessThan(rate_kbps);
    expect(cached.delay_ms).toBeLessThan(3 * cold.delay_ms);
  }
});

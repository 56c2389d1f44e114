import type { CompletedDecision } from '../src/index.ts';
import {
  decisions,
  expect,
  isPacedVideo,
  median,
  nothingThrown,
  pacedSegments,
  play,
  playhead,
  test,
} from './fixtures.ts';
import { segmentsOf } from './test-edge.ts';

/** The MTU of loopback. */
const LOOPBACK_PACKET_BYTES = 65_536;

const PLAYERS = [
  { version: '5', format: 'esm', order: 'before' },
  { version: '5', format: 'umd', order: 'after' },
  { version: '4', format: 'esm', order: 'before' },
  { version: '4', format: 'umd', order: 'after' },
] as const;

for (const player of PLAYERS) {
  test(`dash.js ${player.version}, ${player.format}, attached ${player.order} initialize: plays and paces`, async ({
    page,
    edge,
  }) => {
    await play(page, edge, player);
    expect(await page.evaluate(() => window.player.getVersion())).toContain(`${player.version}.`);
    const all = await pacedSegments(page, 5);
    await nothingThrown(page);

    // No pace before playback starts; one on every segment after, video and audio.
    const initial = all.filter(({ phase }) => phase === 'initial');
    const playing = all.filter(({ phase }) => phase === 'playing');
    expect(initial.length).toBeGreaterThan(0);
    expect(initial.map(({ requested_kbps }) => requested_kbps)).toEqual(initial.map(() => null));
    expect(playing.every(({ requested_kbps }) => requested_kbps !== null)).toBe(true);
    expect(new Set(playing.map(({ media_type }) => media_type))).toEqual(new Set(['video', 'audio']));

    // The edge saw the same: unpaced first, then every single one with rtp, served at just that pace.
    const served = segmentsOf(edge.responses);
    const firstPaced = served.findIndex(({ asked_kbps }) => asked_kbps !== null);
    expect(firstPaced).toBeGreaterThan(0);
    const after = served.slice(firstPaced);
    for (const { asked_kbps, pace_kbps } of after) expect(pace_kbps).toBe(asked_kbps);
    // But for what replaces the very segment that plays.
    const replacing = all.filter(({ phase }) => phase === 'recovery');
    expect(after.filter(({ asked_kbps }) => asked_kbps === null).length).toBeLessThanOrEqual(
      replacing.length,
    );
    // A request that dash.js gave up, as when it replaces a low first segment, has no receipt.
    const completed = playing.filter(({ outcome }) => outcome === 'completed');
    for (const { requested_kbps, applied_kbps } of completed) expect(applied_kbps).toBe(requested_kbps);

    // On a link without limit the throughput is the pace. The first kernel packet leaves at once, and is a third of a
    // segment of a low rung, which a busy machine may have chosen.
    const ratios = all
      .filter(isPacedVideo)
      .map(
        ({ size_bytes, download_ms, applied_kbps }) =>
          ((size_bytes - LOOPBACK_PACKET_BYTES) * 8) / download_ms / (applied_kbps ?? 1),
      );
    expect(median(ratios)).toBeGreaterThan(0.6);
    expect(median(ratios)).toBeLessThan(1.5);
  });
}

test('switched off, the next request is unpaced, on the same connection', async ({ page, edge }) => {
  await play(page, edge);
  await pacedSegments(page, 3);
  const before = segmentsOf(edge.responses);
  await page.evaluate(() => {
    window.sammy.update({ pacing: false });
  });
  const mark = await page.evaluate(() => window.requests.length);
  await expect
    .poll(() =>
      page.evaluate(
        (from) => window.sammy.decisions.filter(({ sequence }) => sequence >= from + 2).length,
        mark,
      ),
    )
    .toBeGreaterThan(2);
  const after = (await decisions(page)).filter(({ sequence }) => sequence >= mark);
  for (const decision of after) {
    expect(decision.requested_kbps).toBeNull();
    expect(decision.pace_reason).toBe('switched-off');
    if (decision.outcome === 'completed') expect(decision.applied_kbps).toBeNull();
  }
  // And it is faster: the best of the unpaced segments against the median of the paced ones, in the same page.
  const rates = (all: CompletedDecision[]) =>
    all
      .filter(({ media_type, outcome }) => media_type === 'video' && outcome === 'completed')
      .map(({ achieved_kbps }) => achieved_kbps ?? 0);
  const paced = (await decisions(page)).filter(isPacedVideo);
  expect(Math.max(...rates(after))).toBeGreaterThan(1.5 * median(rates(paced)));
  const connections = new Set(before.map(({ connection }) => connection));
  expect(after.some(({ connection }) => connection !== undefined && connections.has(connection))).toBe(true);
  await nothingThrown(page);
});

test('the top rung is kept at c0 = c1 = 1.5: no downward spiral', async ({ page, edge }) => {
  await play(page, edge, { options: { c0: 1.5, c1: 1.5, sidecar: '/content/quality.json' } });
  const video = (await pacedSegments(page, 7)).filter(isPacedVideo);
  for (const decision of video) {
    expect(decision.bitrate_kbps).toBe(decision.top_bitrate_kbps);
    // Sammy Eq. 1 stays below the pace, which stays near 1.5 times the top bitrate.
    expect(decision.requested_kbps).toBeGreaterThanOrEqual(decision.bound_kbps ?? Infinity);
    expect(decision.achieved_kbps).toBeLessThan(3 * decision.top_bitrate_kbps);
  }
  await playhead(page, 8);
  expect((await page.evaluate(() => window.sammy.summary)).rebuffer_count).toBe(0);
  await nothingThrown(page);
});

test('the session summary tells what was played', async ({ page, edge }) => {
  await play(page, edge, { options: { sidecar: '/content/quality.json' } });
  await playhead(page, 6);
  const summary = await page.evaluate(() => window.sammy.summary);
  expect(summary.play_delay_ms).toBeGreaterThan(0);
  expect(summary.played_s).toBeGreaterThan(5);
  expect(summary.rebuffer_count).toBe(0);
  expect(summary.mean_bitrate_kbps).toBeGreaterThan(300);
  expect(summary.mean_ssim_db).toBeGreaterThan(2);
  // dash.js may leave a first low segment in the buffer; from then on the film is watched at the top rung.
  expect(summary.switches).toBeLessThanOrEqual(2);
  expect(summary.playing_chunk_throughput_kbps).toBeLessThan(1.5 * 3.2 * 3300);
});

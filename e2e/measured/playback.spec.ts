import {
  expect,
  isPacedVideo,
  noPaceStalls,
  nothingThrown,
  pacedSegments,
  play,
  playhead,
  shortBuffer,
  test,
} from '../support/fixtures.ts';
import { measuresInABusyPage, playsAndPaces } from '../support/scenarios.ts';

// e2e/long/measured tests the other formats and orders.
for (const player of [
  { version: '5', format: 'esm', order: 'before' },
  { version: '4', format: 'umd', order: 'after' },
] as const) {
  test(`dash.js ${player.version}, ${player.format}, attached ${player.order} initialize: plays and paces`, async ({
    page,
    edge,
  }) => {
    await playsAndPaces(page, edge, player);
  });
}

test('does not mistake a busy page for a slow network', async ({ page, edge }) => {
  await measuresInABusyPage(page, edge, { version: '5', format: 'umd' });
});

test('with c0 = c1 = 1.5 the player stays at the top rung, although its throughput is only the pace', async ({
  page,
  edge,
}) => {
  await play(page, edge, {
    options: { c0: 1.5, c1: 1.5 },
    sidecar: '/content/quality.json',
    // The buffer is so short that seven of the video's twelve segments are left to be paced, however late playback
    // begins.
    dash: { streaming: { buffer: shortBuffer('5', 6) } },
  });
  const video = (await pacedSegments(page, 7)).filter(isPacedVideo);
  for (const decision of video) {
    expect(decision.bitrate_kbps).toBe(decision.top_bitrate_kbps);
    // The bound of Sammy's Eq. 1 stays below the pace, which stays near 1.5 times the top bitrate.
    expect(decision.requested_kbps).toBeGreaterThanOrEqual(decision.bound_kbps ?? Infinity);
    expect(decision.achieved_kbps).toBeLessThan(3 * decision.top_bitrate_kbps);
  }
  await playhead(page, 8);
  await noPaceStalls(page);
  await nothingThrown(page);
});

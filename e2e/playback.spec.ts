import { selfSigned } from '../edge/local/self-signed.ts';
import { ensureTestContent } from '../media/sources/footage.ts';
import type { CompletedDecision } from '../src/index.ts';
import {
  decisions,
  expect,
  isPacedVideo,
  median,
  noPaceStalls,
  nothingThrown,
  pacedSegments,
  play,
  playhead,
  shortBuffer,
  STEADY,
  test,
} from './support/fixtures.ts';
import { selectSegments, startTestEdge } from './support/test-edge.ts';

const testOverHttp2 = test.extend({
  // oxlint-disable-next-line no-empty-pattern
  edge: async ({}, use) => {
    const { directory } = await ensureTestContent();
    const edge = await startTestEdge(directory, { tls: await selfSigned() });
    await use(edge);
    await edge.close();
  },
});

test.describe('over HTTP/2', () => {
  // Over HTTP/2 all requests share a connection. Over HTTP/1.1 the browser may open another one at any time.
  test.use({ ignoreHTTPSErrors: true });

  testOverHttp2(
    'after pacing is switched off, the next request is unpaced on the same connection',
    async ({ page, edge }) => {
      await play(page, edge, {
        // The pace is so low that even a busy machine is faster without it.
        options: { ...STEADY, c0: 1.5, c1: 1.5 },
        dash: { streaming: { buffer: shortBuffer('5', 4) } },
      });
      await pacedSegments(page, 3);
      const before = selectSegments(edge.responses);
      await page.evaluate(() => {
        window.sammy.update({ pacing: false });
      });
      const mark = await page.evaluate(() => window.requests.length);
      await expect
        .poll(() =>
          page.evaluate(
            (from) => window.sammy.decisions.filter(({ sequence }) => sequence >= from).length,
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
      // Unpaced requests are faster. Compare the fastest unpaced segment with the median of the paced ones.
      const rates = (all: CompletedDecision[]) =>
        all
          .filter(({ media_type, outcome }) => media_type === 'video' && outcome === 'completed')
          .map(({ achieved_kbps }) => achieved_kbps ?? 0);
      const paced = (await decisions(page)).filter(isPacedVideo);
      const later = async () => (await decisions(page)).filter(({ sequence }) => sequence >= mark);
      await expect
        .poll(async () => Math.max(...rates(await later())))
        .toBeGreaterThan(1.5 * median(rates(paced)));
      const connections = new Set(before.map(({ connection }) => connection));
      expect(after.some(({ connection }) => connection !== undefined && connections.has(connection))).toBe(
        true,
      );
      await nothingThrown(page);
    },
  );
});

test('the session summary describes what was played', async ({ page, edge }) => {
  // With a short buffer, there are segments left to pace even if playback starts late.
  await play(page, edge, {
    options: STEADY,
    sidecar: '/content/quality.json',
    dash: { streaming: { buffer: shortBuffer('5', 4) } },
  });
  await playhead(page, 6);
  const summary = await page.evaluate(() => window.sammy.summary);
  expect(summary.play_delay_ms).toBeGreaterThan(0);
  expect(summary.played_s).toBeGreaterThan(5);
  await noPaceStalls(page);
  expect(summary.rebuffer_ratio > 0).toBe(summary.rebuffer_count > 0);
  expect(summary.mean_bitrate_kbps).toBeGreaterThan(300);
  expect(summary.mean_ssim_db).toBeGreaterThan(2);
  // dash.js may keep a first segment of a low rung in the buffer. The rest of the video is at the top rung.
  expect(summary.switches).toBeLessThanOrEqual(2);
  // The pace is at most 3.2 times the top bitrate. The factor of 3 is a tolerance; unpaced, loopback is faster than 100
  // Mbit/s.
  expect(summary.playing_chunk_throughput_kbps).toBeLessThan(3 * 3.2 * 3300);
});

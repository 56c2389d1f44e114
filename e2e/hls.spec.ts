import { openContract } from './support/contract/open-contract.ts';
import { decisions, expect, noPaceStalls, nothingThrown, pacedSegments, test } from './support/fixtures.ts';
import { livePlaylists } from './support/live-playlists.ts';

for (const player of ['hls1.7', 'shaka5'])
  test(`${player}: a live stream of HLS is paced within its latency, and no pace stalls it`, async ({
    page,
    edge,
  }) => {
    edge.fault = await livePlaylists();
    await openContract(page, edge, player, {}, { manifest: 'master.m3u8' });
    await pacedSegments(page, 2);
    const all = await decisions(page);
    // The players stay three segments of 2 s behind the latest segment.
    for (const { buffer_s, low_latency } of all) {
      expect(buffer_s).toBeLessThan(8);
      expect(low_latency).toBe(false);
    }
    await noPaceStalls(page);
    expect(await page.evaluate(() => window.playerErrors)).toEqual([]);
    await nothingThrown(page);
  });

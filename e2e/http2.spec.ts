import { ensureTestContent } from '../media/sources/footage.ts';
import { selfSigned } from '../edge/local/self-signed.ts';
import {
  expect,
  isPacedVideo,
  median,
  nothingThrown,
  pacedSegments,
  play,
  playhead,
  test,
} from './support/fixtures.ts';
import { parseReceipt } from '../src/wire/receipt.ts';
import { segmentsOf, startTestEdge } from './support/test-edge.ts';

test.use({ ignoreHTTPSErrors: true });

test('over HTTP/2 audio and video share a connection, their paces add up, and playback is smooth', async ({
  page,
}) => {
  const { directory } = await ensureTestContent();
  const edge = await startTestEdge(directory, { tls: await selfSigned() });
  try {
    // With a short buffer, a machine on which playback starts late does not download most of the film before that.
    const buffer = { bufferTimeDefault: 6, bufferTimeAtTopQuality: 6, bufferTimeAtTopQualityLongForm: 6 };
    await play(page, edge, { dash: { streaming: { buffer } } });
    const all = await pacedSegments(page, 5);
    await playhead(page, 6);

    const protocols = await page.evaluate(() =>
      performance
        .getEntriesByType('resource')
        .map((entry) => entry as PerformanceResourceTiming)
        .filter(({ name }) => name.includes('.m4s'))
        .map(({ nextHopProtocol }) => nextHopProtocol),
    );
    expect(protocols.length).toBeGreaterThan(8);
    expect(new Set(protocols)).toEqual(new Set(['h2']));

    const served = segmentsOf(edge.responses);
    expect(new Set(served.map(({ connection }) => connection)).size).toBe(1);
    expect(new Set(all.map(({ media_type }) => media_type))).toEqual(new Set(['video', 'audio']));

    // Each response has its own pace; the socket's pace is the sum of the paces of all responses in flight.
    const paced = served.filter(({ asked_kbps }) => asked_kbps !== null);
    for (const { asked_kbps, pace_kbps, socket_pace_kbps } of paced) {
      expect(pace_kbps).toBe(asked_kbps);
      expect(socket_pace_kbps ?? Infinity).toBeGreaterThanOrEqual(pace_kbps ?? Infinity);
    }
    // Only completed requests: one that was abandoned on a busy machine may have no receipt.
    const playing = all.filter(({ phase, outcome }) => phase === 'playing' && outcome === 'completed');
    for (const { requested_kbps, applied_kbps } of playing) expect(applied_kbps).toBe(requested_kbps);
    const ratios = playing
      .filter(isPacedVideo)
      .map(({ achieved_kbps, applied_kbps }) => (achieved_kbps ?? 0) / (applied_kbps ?? 1));
    expect(median(ratios)).toBeGreaterThan(0.6);
    expect(median(ratios)).toBeLessThan(2.2);
    // With two requests at the same time, the receipt of the later one tells a socket pace that is the sum of both.
    const [, largest = ''] = served
      .toSorted((a, b) => b.bytes - a.bytes)
      .map(({ url }) => url.split('?', 1)[0] ?? '');
    const receipts = await page.evaluate(
      (path) =>
        Promise.all(
          [4000, 6000].map(async (rtp) => {
            const { headers } = await fetch(`${path}?CMCD=rtp%3D${rtp}`, { cache: 'no-store' });
            return headers.get('CMSD-Dynamic');
          }),
        ),
      largest,
    );
    const later = receipts
      .map((cmsd) => parseReceipt((name) => (name === 'CMSD-Dynamic' ? cmsd : null)))
      .find(({ socket_pace_kbps }) => socket_pace_kbps !== undefined);
    expect(later?.socket_pace_kbps ?? 0).toBeGreaterThanOrEqual(10_000);

    const summary = await page.evaluate(() => window.sammy.summary);
    expect(summary.rebuffer_count).toBe(0);
    expect(summary.switches).toBeLessThanOrEqual(2);
    await nothingThrown(page);
  } finally {
    await edge.close();
  }
});

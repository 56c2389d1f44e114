import { ensureTestContent } from '../../media/sources/footage.ts';
import { selfSigned } from '../../edge/local/self-signed.ts';
import {
  expect,
  isPacedVideo,
  median,
  noPaceStalls,
  nothingThrown,
  pacedSegments,
  play,
  playhead,
  STEADY,
  test,
} from '../support/fixtures.ts';
import { parseReceipt } from '../../src/wire/receipt.ts';
import { startOneAtATimeServer } from '../support/one-at-a-time.ts';
import { selectSegments, startTestEdge } from '../support/test-edge.ts';

test.use({ ignoreHTTPSErrors: true });

test('over HTTP/2, audio and video share a connection, their paces add up, and playback is smooth', async ({
  page,
}) => {
  const { directory } = await ensureTestContent();
  const edge = await startTestEdge(directory, { tls: await selfSigned() });
  try {
    // Use a short buffer, so that most of the video is not yet downloaded when playback starts, even if it starts late.
    const buffer = { bufferTimeDefault: 6, bufferTimeAtTopQuality: 6, bufferTimeAtTopQualityLongForm: 6 };
    await play(page, edge, { options: STEADY, dash: { streaming: { buffer } } });
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

    const served = selectSegments(edge.responses);
    expect(new Set(served.map(({ connection }) => connection)).size).toBe(1);
    expect(new Set(all.map(({ media_type }) => media_type))).toEqual(new Set(['video', 'audio']));

    // Each response has its own pace; the socket's pace is the sum of the paces of all responses in flight.
    const paced = served.filter(({ asked_kbps }) => asked_kbps !== null);
    for (const { asked_kbps, pace_kbps, socket_pace_kbps } of paced) {
      expect(pace_kbps).toBe(asked_kbps);
      expect(socket_pace_kbps ?? Infinity).toBeGreaterThanOrEqual(pace_kbps ?? Infinity);
    }
    // Check only completed requests, because a request that was abandoned on a busy machine may have no receipt.
    const playing = all.filter(({ phase, outcome }) => phase === 'playing' && outcome === 'completed');
    for (const { requested_kbps, applied_kbps } of playing) expect(applied_kbps).toBe(requested_kbps);
    const ratios = playing
      .filter(isPacedVideo)
      .map(({ achieved_kbps, applied_kbps }) => (achieved_kbps ?? 0) / (applied_kbps ?? 1));
    expect(median(ratios)).toBeGreaterThan(0.6);
    expect(median(ratios)).toBeLessThan(2.2);
    // If two requests are in flight, the receipt of the later one contains a socket pace that is the sum of both paces.
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
    await noPaceStalls(page);
    expect(summary.switches).toBeLessThanOrEqual(2);
    await nothingThrown(page);
  } finally {
    await edge.close();
  }
});

test("a server that sees one request at a time paces an HTTP/2 connection by the plug-in's sum of paces", async ({
  page,
}) => {
  const { directory } = await ensureTestContent();
  const server = await startOneAtATimeServer(directory);
  try {
    const buffer = { bufferTimeDefault: 6, bufferTimeAtTopQuality: 6, bufferTimeAtTopQualityLongForm: 6 };
    await play(page, server, { options: STEADY, dash: { streaming: { buffer } } });
    const all = await pacedSegments(page, 5);
    await playhead(page, 6);

    const paced = server.seen.filter(({ asked_kbps }) => asked_kbps !== null);
    const told = paced.filter(({ socket_kbps }) => socket_kbps !== null);
    expect(told.length).toBeGreaterThan(4);
    for (const { socket_kbps, reason, underWay_kbps } of paced) {
      // Without a sum, an unpaced request was in flight, or the browser had not yet noticed its end.
      if (socket_kbps === null) expect(reason).toBe('shared-connection');
      else {
        expect(reason).toBe('requested');
        expect(underWay_kbps).not.toContain(null);
        // The browser notices the end of a response later than the server, so its sum may include a request that has
        // ended here.
        expect(socket_kbps).toBeGreaterThanOrEqual(sum(underWay_kbps));
      }
    }
    // Audio and video were in flight together, so the sum contains the pace of an earlier request in addition to that
    // of this one.
    const together = told.filter(({ socket_kbps, asked_kbps }) => (socket_kbps ?? 0) > (asked_kbps ?? 0));
    expect(together.length).toBeGreaterThan(0);
    for (const request of together) {
      const earlier = server.seen.slice(0, server.seen.indexOf(request)).map(({ asked_kbps }) => asked_kbps);
      expect(earlier).toContain((request.socket_kbps ?? 0) - (request.asked_kbps ?? 0));
    }

    const playing = all.filter(({ phase, outcome }) => phase === 'playing' && outcome === 'completed');
    const limited = playing.filter(({ applied_kbps }) => applied_kbps !== null);
    expect(limited.length).toBeGreaterThan(4);
    for (const { requested_kbps, applied_kbps } of limited) expect(applied_kbps).toBe(requested_kbps);
    const ratios = limited
      .filter(isPacedVideo)
      .map(({ achieved_kbps, applied_kbps }) => (achieved_kbps ?? 0) / (applied_kbps ?? 1));
    expect(median(ratios)).toBeGreaterThan(0.6);
    // A segment that is alone on the connection may still have the sum of both paces.
    expect(median(ratios)).toBeLessThan(2.2);
    await noPaceStalls(page);
    await nothingThrown(page);
  } finally {
    server.close();
  }
});

const sum = (paces: readonly (number | null)[]): number =>
  paces.reduce<number>((sum, pace) => sum + (pace ?? 0), 0);

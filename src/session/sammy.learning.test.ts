/** A session learns from its own downloads, and records receipts. */
import { describe, expect, it } from 'vitest';
import { topRung } from '../film/ladder.ts';
import { ladder, createLadder, SEGMENT_S, createSession } from '../testing/session.ts';
import { bytes, kbps, milliseconds, seconds } from '../units.ts';
import type { Receipt } from '../wire/receipt.ts';

describe('a request that waits before it is sent, for example for a token', () => {
  /** A session with ten segments of 2 s, each of which waits for `waited_ms` and then arrives at 8 Mbit/s. */
  const session = (waited_ms: number) => {
    const { sammy, stateOf, pass } = createSession();
    for (let count = 0; count < 10; count++) {
      const state = stateOf(2);
      const { rung } = sammy.chooseRung(state);
      const decision = sammy.decide(state, rung, seconds(SEGMENT_S));
      const size_bytes = rung.bitrate_kbps * SEGMENT_S * 125;
      const download_ms = size_bytes / 1000;
      pass((waited_ms + download_ms) / 1000);
      const transfer = { outcome: 'completed', receipt: {}, from_cache: false } as const;
      sammy.complete(decision, { ...transfer, size_bytes, download_ms, waited_ms });
    }
    sammy.playing();
    const decision = sammy.decide(stateOf(2), topRung(ladder), seconds(SEGMENT_S));
    return { rung: sammy.chooseRung(stateOf(2)).rung, decision };
  };

  it('leaves less time for the segment, but does not lower the throughput estimate', () => {
    expect(session(0).rung.bitrate_kbps).toBe(3300);
    const { rung, decision } = session(1200);
    // The rung of 3300 kbit/s would take 1.2 + 6.6 / 8 = 2.03 s.
    expect(rung.bitrate_kbps).toBe(2300);
    expect(decision.estimate_kbps).toBeCloseTo(8000, -1);
  });

  it('raises the pace, so that the segment arrives in the remaining time', () => {
    const [without = NaN, after = NaN] = [0, 1200].map((ms) => session(ms).decision.requested_kbps ?? NaN);
    // Of the segment's 2 s, 2 - 1.2 = 0.8 s are left, so the pace is about 2 / 0.8 = 2.5 times as high.
    expect(after).toBeGreaterThan(2.4 * without);
    // At a goodput of 0.9 of the pace, the wait and the download of the top rung fit into the segment's 2 s.
    expect(1.2 + (2 * 3300) / (0.9 * after)).toBeLessThan(2);
  });
});

describe('learning from a segment', () => {
  const playing = () => {
    const session = createSession();
    session.segment(0, 40_000, 1);
    session.sammy.playing();
    return session;
  };

  it('treats a pace-limited sample as a lower bound', () => {
    const { segment, decide } = playing();
    // With an empty buffer, the pace is 3.2 * 3300 kbit/s, rounded up to 10,600.
    const completed = segment(0, 9800, 1, { pace_kbps: kbps(10_600) });
    expect(completed).toMatchObject({ pace_limited: true, applied_kbps: 10_600 });
    expect(decide(0).estimate_kbps).toBeGreaterThan(39_000);
  });

  it('trusts an edge that reports no pace, or a lower pace than requested', () => {
    const unpaced = playing();
    expect(unpaced.segment(0, 9800, 1, { pace_kbps: null })).toMatchObject({
      pace_limited: false,
      applied_kbps: null,
    });
    expect(unpaced.decide(0).estimate_kbps).toBeLessThan(30_000);
    const lower = playing();
    expect(lower.segment(0, 4800, 1, { pace_kbps: kbps(5000) }).pace_limited).toBe(true);
    expect(lower.decide(0).estimate_kbps).toBeGreaterThan(38_000);
  });

  it.each([
    ['the ceiling of the options', { ceiling_kbps: 1000 }, {}],
    ['an edge that paces lower than it is asked to', {}, { pace_kbps: kbps(1000) }],
  ])('chooses no rung that %s would prevent from arriving', (_, options, receipt) => {
    const { sammy, segment, decide } = createSession(options);
    segment(0, 20_000, 1);
    sammy.playing();
    segment(2, 950, 2, receipt);
    // The goodput of 1000 kbit/s is 900. With 2 s buffered, HYB allows 0.8 * 900 * (1 + 2 / 10) = 864 kbit/s.
    expect(decide(2)).toMatchObject({ bitrate_kbps: 700 });
    expect(decide(2).estimate_kbps).toBeGreaterThan(10_000);
  });

  it.each([
    ['reports that it no longer paces', null, 1],
    ['still reports the low pace while it sends much faster', kbps(1000), 4],
  ])('assumes no ceiling of an edge that %s', (_, pace_kbps, times) => {
    const { sammy, segment, decide } = createSession();
    segment(0, 20_000, 1);
    sammy.playing();
    segment(2, 950, 2, { pace_kbps: kbps(1000) });
    expect(decide(2)).toMatchObject({ bitrate_kbps: 700 });
    for (let count = 0; count < times; count++) segment(2, 20_000, 1, { pace_kbps });
    // The estimate suffices for the top rung.
    expect(decide(2)).toMatchObject({ bitrate_kbps: 3300 });
  });

  it('ignores a reported pace that the same download exceeds, even if it is too small to show whether rtp is honored', () => {
    const { sammy, segment, decide } = createSession();
    segment(0, 20_000, 1);
    sammy.playing();
    // 20 Mbit/s for 0.03 s are 75 kB, of which 64 kB may arrive in one burst.
    for (let count = 0; count < 8; count++) segment(2, 20_000, 0.03, { pace_kbps: kbps(0.001) });
    expect(decide(2)).toMatchObject({ bitrate_kbps: 3300 });
  });

  it('assumes that a server without receipts applies the requested pace', () => {
    const { segment } = playing();
    const completed = segment(0, 9800, 1);
    expect(completed.pace_limited).toBe(true);
    expect(completed).not.toHaveProperty('applied_kbps');
  });

  it("detects a server that ignores rtp, whose throughput is then the network's", () => {
    const { sammy, segment, decide } = playing();
    for (let count = 0; count < 4; count++) segment(0, 40_000, 0.2);
    expect(sammy.summary.pacing_honored).toBe('no');
    // The network drops to slightly above the requested pace, which the server still ignores.
    expect(decide(0).requested_kbps).toBe(10_600);
    for (let count = 0; count < 3; count++) {
      expect(segment(0, 11_000, 2)).toMatchObject({ pace_limited: false, pacing_honored: 'no' });
    }
    expect(decide(0).estimate_kbps).toBeLessThan(25_000);
    // The fourth consecutive download near the pace counts as paced, and as a lower bound.
    expect(segment(0, 10_000, 2)).toMatchObject({ pace_limited: true, pacing_honored: 'yes' });
  });

  it.each([
    ['failed', 1_000_000, 1000],
    ['completed', 0, 1000],
    ['completed', 1000, 0],
  ] as const)(
    'learns nothing from a download that %s with %d bytes in %d ms',
    (outcome, size_bytes, download_ms) => {
      const { sammy, decide } = playing();
      const before = decide(0).estimate_kbps;
      sammy.complete(decide(0), { outcome, size_bytes, download_ms, receipt: {} });
      expect(decide(0).estimate_kbps).toBe(before);
    },
  );

  it('does not count an unpaced error page against the server', () => {
    const { sammy, decide } = playing();
    const receipt = { pace_kbps: null };
    for (let count = 0; count < 6; count++) {
      sammy.complete(decide(0), { outcome: 'failed', size_bytes: 100, download_ms: 5, receipt });
    }
    expect(sammy.summary.pacing_honored).toBe('unknown');
  });

  it.each([
    ['no time', 1000, 0],
    ['negative time', 1000, -1],
    ['no bytes', 0, 1],
    ['a number of bytes that is not a number', Number.NaN, 1],
  ])('learns nothing from a download of %s', (_, rate, duration_s) => {
    const { sammy, segment } = createSession();
    segment(0, 5000, 1);
    expect(segment(2, rate, duration_s)).toMatchObject({ achieved_kbps: null });
    expect(sammy.estimate()).toBe(5000);
  });

  it("learns nothing from a response from the browser's cache", () => {
    const { sammy, storage, decide } = createSession();
    const cached = {
      outcome: 'completed',
      size_bytes: 1e6,
      download_ms: 1,
      receipt: {},
      from_cache: true,
    } as const;
    expect(sammy.complete(decide(0), cached)).toMatchObject({ from_cache: true, pace_limited: false });
    expect(decide(0).estimate_kbps).toBeNull();
    sammy.playing();
    expect(storage.text).toBeNull();
  });

  it('learns nothing from a response that arrives within less than a round trip', () => {
    const { decide, segment } = playing();
    const before = decide(0).estimate_kbps;
    const of = (min_rtt_ms: number) => ({ pace_kbps: kbps(10_000), min_rtt_ms: milliseconds(min_rtt_ms) });
    // 100 kB in 8 ms with a round trip of 20 ms, for example from a service worker.
    expect(segment(0, 800, 0.008, of(20))).toMatchObject({ from_cache: true, pace_limited: false });
    expect(decide(0).estimate_kbps).toBe(before);
    expect(segment(0, 800, 0.008, of(5)).from_cache).toBeUndefined();
  });

  it('learns from a response that is faster than the smoothed round trip, which may include an old queue', () => {
    const { decide, segment } = playing();
    const before = decide(0).estimate_kbps;
    // 100 kB in 100 ms, although the smoothed round-trip time is 200 ms.
    const receipt: Receipt = { rtt_ms: milliseconds(200), cwnd_packets: 24 };
    const completed = segment(0, 8000, 0.1, receipt);
    expect(completed.from_cache).toBeUndefined();
    // At the requested 10,600 kbit/s, it takes 75 ms, and the remaining 25 ms are less than the round trip of 200 ms.
    expect(completed.pace_limited).toBe(false);
    expect(decide(0).estimate_kbps).not.toBe(before);
    expect(decide(0).last_receipt).toEqual(receipt);
  });

  it.each<[string, Receipt]>([
    ['least round trip', { min_rtt_ms: milliseconds(60_000), rtt_ms: milliseconds(60_000) }],
    ['round trip', { rtt_ms: milliseconds(1e15) }],
  ])('ignores a %s that is impossibly long', (_, receipt) => {
    const lied = playing();
    // 5000 kbit took 1 s. The requested pace of 10,600 kbit/s explains less than half of this time.
    const completed = lied.segment(0, 5000, 1, receipt);
    expect(completed).toMatchObject({ pace_limited: false, achieved_kbps: 5000 });
    expect(completed.from_cache).toBeUndefined();
    const plain = playing();
    plain.segment(0, 5000, 1);
    expect(lied.decide(0).estimate_kbps).toBe(plain.decide(0).estimate_kbps);
  });

  it('uses the minimum round trip, because a queue that the download fills is not due to the pace', () => {
    const { segment } = playing();
    // With the smoothed round trip, 700 ms at the pace and 300 ms would explain 1 s. The minimum is only 5 ms.
    const receipt = { pace_kbps: kbps(10_000), rtt_ms: milliseconds(300), min_rtt_ms: milliseconds(5) };
    expect(segment(0, 7000, 1, receipt).pace_limited).toBe(false);
  });

  it('tries a much higher rung if downloads are mostly the round trip in receipts', () => {
    /** The chosen bitrates of segments over a link of `rate` kbit/s with a round trip of 80 ms. */
    const chosen = (receipt: Receipt, rate: number) => {
      const { sammy, stateOf, pass } = createSession();
      sammy.playing();
      return Array.from({ length: 8 }, () => {
        const state = stateOf(10, { ladder: createLadder([100, 5000]) });
        const { rung } = sammy.chooseRung(state);
        const decision = sammy.decide(state, rung, seconds(SEGMENT_S));
        const size_bytes = rung.bitrate_kbps * SEGMENT_S * 125;
        const download_ms = 80 + (size_bytes * 8) / rate;
        pass(download_ms / 1000);
        sammy.complete(decision, {
          outcome: 'completed',
          size_bytes,
          download_ms,
          receipt,
          from_cache: false,
        });
        return rung.bitrate_kbps;
      });
    };
    // 25 kB in 82 ms are 2440 kbit/s, but 100 Mbit/s without the round trip.
    const receipt = { pace_kbps: null, min_rtt_ms: milliseconds(80) };
    expect(chosen(receipt, 100_000)).toEqual([100, 100, 100, 5000, 5000, 5000, 5000, 5000]);
    expect(chosen({ pace_kbps: null }, 100_000)).toEqual(Array(8).fill(100));
    // At 2000 kbit/s, 25 kB take 100 ms, more than the round trip of 80 ms, so no higher rung is tried.
    expect(chosen(receipt, 2000)).toEqual(Array(8).fill(100));
  });

  it("switches up in low-latency live, and does not store the encoder's rate", () => {
    const { sammy, storage, stateOf, pass } = createSession();
    const live = (buffer: number, bitrate?: number, download_s = SEGMENT_S) => {
      const state = stateOf(buffer, { lowLatency: true });
      const { rung } = sammy.chooseRung(state);
      const decision = sammy.decide(state, rung, seconds(SEGMENT_S));
      pass(download_s);
      sammy.complete(decision, {
        outcome: 'completed',
        size_bytes: ((bitrate ?? rung.bitrate_kbps) * 1000 * SEGMENT_S) / 8,
        download_ms: download_s * 1000,
        receipt: {},
      });
      return decision;
    };
    // The default of 1000 kbit/s is not lowered by segments that are sent while they are encoded.
    for (let index = 0; index < 5; index++) live(0);
    expect(live(0)).toMatchObject({ low_latency: true, bitrate_kbps: 700 });
    sammy.playing();
    expect(storage.text).toBeNull();
    // Segments that were already encoded: 6600 kbit in 0.2 s.
    live(2, 3300, 0.2);
    live(2, 3300, 0.2);
    for (let index = 0; index < 300; index++) live(3);
    expect(live(3).bitrate_kbps).toBe(3300);
  });

  it('uses the receiving time of chunks in low-latency live, if known', () => {
    const { sammy, stateOf, pass } = createSession();
    const live = (link_kbps: number, download_s = SEGMENT_S) => {
      const state = stateOf(1, { lowLatency: true });
      const { rung } = sammy.chooseRung(state);
      const decision = sammy.decide(state, rung, seconds(SEGMENT_S));
      pass(download_s);
      const size_kbit = rung.bitrate_kbps * SEGMENT_S;
      return sammy.complete(decision, {
        outcome: 'completed',
        size_bytes: (size_kbit * 1000) / 8,
        download_ms: download_s * 1000,
        receiving_ms: (size_kbit / link_kbps) * 1000,
        receipt: {},
      });
    };
    for (let index = 0; index < 12; index++) live(10_000);
    const top = live(10_000);
    expect(top).toMatchObject({ bitrate_kbps: 3300, pace_limited: true });
    // The achieved throughput is that of the entire download (Sammy Appendix A).
    expect(top.achieved_kbps).toBeCloseTo(3300, 6);
    // 2 s of content took 4 s, so the network was the limit, whatever the receiving time.
    for (let index = 0; index < 4; index++) live(10_000, 4);
    expect(live(10_000).bitrate_kbps).toBeLessThan(3300);
  });

  it('carries the receipt into the record', () => {
    const { segment } = playing();
    const receipt: Receipt = {
      pace_kbps: kbps(9900),
      reason: 'ceiling',
      rtt_ms: milliseconds(12),
      min_rtt_ms: milliseconds(5),
      retransmitted_bytes: bytes(10),
      sent_bytes: bytes(1000),
      connection: '7',
      congestion_control: 'cubic',
    };
    expect(segment(0, 9800, 1, receipt)).toMatchObject({
      applied_kbps: 9900,
      edge_reason: 'ceiling',
      rtt_ms: 12,
      min_rtt_ms: 5,
      retransmitted_bytes: 10,
      sent_bytes: 1000,
      connection: '7',
      congestion_control: 'cubic',
    });
  });
});

describe('the latest receipt in a decision', () => {
  it('is that of the initialization segment at first, and then of the previous segment', () => {
    const { sammy, segment } = createSession();
    const ofInitialization: Receipt = { cwnd_packets: 10, tcp_state: 'in_flight_packets=0' };
    sammy.recordReceipt(ofInitialization);
    const ofFirst: Receipt = { cwnd_packets: 24, tcp_state: 'in_flight_packets=3' };
    expect(segment(0, 5000, 1, ofFirst)).toMatchObject({ ...ofFirst, last_receipt: ofInitialization });
    expect(segment(2, 5000, 1).last_receipt).toEqual(ofFirst);
  });

  it('is not a receipt from a cache', () => {
    const { sammy, decide } = createSession();
    const ofInitialization: Receipt = { cwnd_packets: 10 };
    sammy.recordReceipt(ofInitialization);
    const transfer = { outcome: 'completed', size_bytes: 1e6, download_ms: 3, from_cache: true } as const;
    sammy.complete(decide(0), { ...transfer, receipt: { cwnd_packets: 500 } });
    expect(decide(2).last_receipt).toEqual(ofInitialization);
  });
});

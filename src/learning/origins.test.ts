import { describe, expect, it } from 'vitest';
import type { CompletedDecision } from '../decision.ts';
import { topRung } from '../film/ladder.ts';
import { smooth } from '../pace/smooth.ts';
import { ladder, Memory, createSession } from '../testing/session.ts';
import { kbps, milliseconds, seconds } from '../units.ts';
import { InitialThroughputHistory } from './history.ts';
import type { Receipt } from '../wire/receipt.ts';
import type { Transfer } from './transfer.ts';

const CONTENT = 'https://content.example';
const ADS = 'https://ads.example';

interface Given {
  readonly asked?: string;
  readonly from?: string;
  readonly receipt?: Receipt;
  readonly buffer?: number;
}

/** A session in which segments of 2 s come from several origins. */
function sessionAt(options = {}, storage = new Memory()) {
  const session = createSession(options, storage);
  const { sammy, stateOf, pass } = session;
  /**
   * Downloads a segment of the top rung at `rate_kbps` with `buffer` s buffered. It is requested from one origin, and
   * may come from another.
   */
  const segment = (
    rate_kbps: number,
    { asked = CONTENT, from, receipt = {}, buffer = 20 }: Given = {},
    told: Partial<Transfer> = { from_cache: false },
  ): CompletedDecision => {
    const state = stateOf(buffer, { origin: asked });
    const rung = topRung(ladder);
    const decision = sammy.decide(state, rung, seconds(2));
    const size_bytes = (rung.bitrate_kbps * 1000 * 2) / 8;
    const download_ms = (size_bytes * 8) / rate_kbps;
    pass(download_ms / 1000);
    return sammy.complete(decision, {
      outcome: 'completed',
      size_bytes,
      download_ms,
      receipt,
      origin: asked,
      answered_by: from,
      ...told,
    });
  };
  /** Downloads a segment at the requested pace, with a receipt. */
  const paced = () => {
    const { pace } = sammy.choosePace(stateOf(20, { origin: CONTENT }), topRung(ladder), seconds(2));
    return segment(0.97 * (pace ?? 40_000), { receipt: pace === null ? {} : { pace_kbps: pace } });
  };
  return { ...session, segment, paced };
}

it.each(['', CONTENT])('trusts a week-old history little, whether or not origins are known: %j', (asked) => {
  const storage = new Memory();
  const WEEK_MS = 7 * 24 * 3600 * 1000;
  new InitialThroughputHistory(storage).add(kbps(5000), milliseconds(1_700_000_000_000 - WEEK_MS), '');
  const { sammy, segment } = sessionAt({}, storage);
  // A download of less than half a second, which does not replace the history.
  segment(20_000, { asked, buffer: 0 });
  expect(sammy.estimate()).toBeGreaterThan(19_000);
});

describe('an origin that honors rtp', () => {
  const playing = () => {
    const session = sessionAt({ pace: smooth() });
    session.segment(40_000, { buffer: 0 });
    session.sammy.playing();
    for (let count = 0; count < 6; count++) session.paced();
    return session;
  };
  const steady = () => playing().paced();

  it('is paced as usual between advertisements from a slower origin that does not pace', () => {
    const { segment, paced, sammy } = playing();
    expect(sammy.pacingHonored).toBe('yes');
    const { pace_reason, requested_kbps } = steady();
    expect(pace_reason).toBe('smoothed');
    // Five minutes with 10 s of advertisements every 30 s.
    for (let pod = 0; pod < 10; pod++) {
      // A redirect (302): the other origin responds, at less than `ample` (smooth.ts), 1.25 * 3300 kbit/s.
      for (let count = 0; count < 5; count++) segment(3600, { from: ADS, receipt: { pace_kbps: null } });
      expect(sammy.pacingHonored).toBe('no');
      // The first segment after the advertisements is still expected from the other origin.
      expect(paced().pace_reason).toBe('network-is-weak');
      for (let count = 0; count < 9; count++) expect(paced()).toMatchObject({ pace_reason, requested_kbps });
      expect(sammy.pacingHonored).toBe('yes');
    }
  });

  it('does not share ceilings with another origin', () => {
    const { segment, stateOf, sammy } = playing();
    segment(950, { asked: ADS });
    segment(950, { asked: ADS, receipt: { pace_kbps: kbps(1000) } });
    // HYB with 2 s buffered relies on 0.9 of the one origin's ceiling of 1000 kbit/s. The other origin has no ceiling.
    expect(sammy.chooseRung(stateOf(2, { origin: ADS })).rung.bitrate_kbps).toBe(700);
    expect(sammy.chooseRung(stateOf(2, { origin: CONTENT })).rung.bitrate_kbps).toBe(3300);
  });

  it('does not share receipts with other origins', () => {
    const { segment, stateOf, sammy } = playing();
    sammy.recordReceipt({ cwnd_packets: 24 }, CONTENT);
    sammy.recordReceipt({ cwnd_packets: 99 }, ADS);
    const request = [ladder[0], seconds(2)] as const;
    expect(sammy.decide(stateOf(9, { origin: CONTENT }), ...request).last_receipt).toEqual({
      cwnd_packets: 24,
    });
    expect(sammy.decide(stateOf(9, { origin: ADS }), ...request).last_receipt).toEqual({ cwnd_packets: 99 });
    segment(9000, { asked: ADS });
    expect(sammy.decide(stateOf(9, { origin: ADS }), ...request).last_receipt).toEqual({});
  });
});

describe('another origin in the middle of a session', () => {
  it('starts with the throughput estimate of the previous origin', () => {
    const { segment } = sessionAt();
    segment(20_000, { buffer: 0 });
    const first = segment(4000, { asked: ADS });
    expect(first.estimate_kbps).toBeCloseTo(20_000, -2);
    expect(segment(4000, { asked: ADS }).estimate_kbps).toBeCloseTo(4000, -2);
    expect(segment(20_000).estimate_kbps).toBeCloseTo(20_000, -2);
  });

  it('contributes to the stored throughput of the initial phase', () => {
    const storage = new Memory();
    const { segment, sammy } = sessionAt({}, storage);
    segment(20_000, { buffer: 0 });
    segment(10_000, { asked: ADS, buffer: 0 });
    sammy.playing();
    // The mean over 6600 kbit in 0.33 s and 6600 kbit in 0.66 s: 13,200 kbit in 0.99 s.
    expect(JSON.parse(storage.text ?? '')).toMatchObject({ entries: [{ throughput_kbps: 13_333 }] });
  });
});

describe('a download that may come from the browser cache', () => {
  const doubtful = (rate_kbps: number, told: Partial<Transfer>, times = 2) => {
    const storage = new Memory();
    const session = sessionAt({}, storage);
    for (let count = 0; count < times; count++) {
      session.segment(rate_kbps, { buffer: 0 }, told);
      if (count === 1) session.sammy.playing();
    }
    return { ...session, estimate: session.sammy.estimate(), remembered: storage.text };
  };

  it('is ignored once or twice if it took less than 50 ms and the browser does not report the source', () => {
    const { estimate, remembered, segment } = doubtful(150_000, {});
    expect({ estimate, remembered }).toEqual({ estimate: undefined, remembered: null });
    const after = segment(150_000, {}, {});
    expect(after.pacing_honored).toBe('unknown');
    expect(after.from_cache).toBeUndefined();
  });

  it('counts if the browser reports the network as source, or if it took longer', () => {
    expect(doubtful(150_000, { from_cache: false }).estimate).toBeCloseTo(150_000, -3);
    expect(doubtful(130_000, {}).estimate).toBeCloseTo(130_000, -3);
  });

  it('raises the rung one at a time from the third in a row on, and is not stored', () => {
    const { sammy, stateOf, paced, pass } = sessionAt({}, new Memory());
    const rungs: number[] = [];
    sammy.playing();
    for (let count = 0; count < 8; count++) {
      const state = stateOf(2 * count, { origin: CONTENT });
      const { rung } = sammy.chooseRung(state);
      rungs.push(rung.bitrate_kbps);
      const decision = sammy.decide(state, rung, seconds(2));
      pass(0.01);
      sammy.complete(decision, {
        ...{ outcome: 'completed', receipt: {}, origin: CONTENT },
        ...{ size_bytes: rung.bitrate_kbps * 250, download_ms: 10 },
      });
    }
    // With the default of 1000 kbit/s, HYB begins at 700 kbit/s, which requires 700 / 0.8 = 875.
    expect(rungs).toEqual([700, 700, 700, 1500, 2300, 3300, 3300, 3300]);
    expect(paced().estimate_kbps).toBeLessThanOrEqual(2 * 3300);
  });

  it('does not count after the first download that is clearly from the network', () => {
    const { segment, sammy } = doubtful(150_000, {}, 6);
    expect(sammy.estimate()).toBeGreaterThan(1000);
    segment(1200, { buffer: 8 }, {});
    expect(sammy.estimate()).toBeCloseTo(1200, -2);
    // After 12 possible cache hits in a row (here 100), further ones count as network samples.
    const long = doubtful(150_000, {}, 100);
    expect(long.sammy.estimate()).toBeCloseTo(150_000, -3);
    long.segment(1200, { buffer: 8 }, {});
    expect(long.sammy.estimate()).toBeCloseTo(1200, -2);
  });

  it('counts against a server that should pace after many of them', () => {
    const session = sessionAt();
    session.segment(40_000, { buffer: 0 });
    session.sammy.playing();
    const honored = Array.from({ length: 20 }, () => session.segment(150_000, {}, {}).pacing_honored);
    expect(honored.indexOf('no')).toBeGreaterThan(8);
  });
});

describe('a pause of ten minutes', () => {
  it.each([
    ['Algorithm 1', 'sammy' as const],
    ['smooth()', smooth()],
  ])('does not lower rung or pace, with %s', (_, pace) => {
    const session = sessionAt({ pace });
    const { sammy, stateOf, paced, pass } = session;
    session.segment(40_000, { buffer: 0 });
    sammy.playing();
    for (let count = 0; count < 10; count++) paced();
    const before = paced();
    sammy.paused();
    pass(600);
    sammy.playing();
    // For ten minutes, all samples were limited by the pace. These lower bounds suffice for the top rung.
    for (let count = 0; count < 5; count++) {
      expect(sammy.chooseRung(stateOf(20, { origin: CONTENT })).rung.bitrate_kbps).toBe(3300);
      const { requested_kbps, pace_reason } = paced();
      expect({ requested_kbps, pace_reason }).toEqual({
        requested_kbps: before.requested_kbps,
        pace_reason: before.pace_reason,
      });
    }
  });
});

it('learns nothing from half a second of a download that the player aborts', () => {
  const { sammy, segment } = sessionAt();
  segment(9000);
  const before = sammy.estimate();
  segment(300, {}, { outcome: 'abandoned', size_bytes: 5000, download_ms: 130 });
  expect(sammy.estimate()).toBe(before);
  segment(300, {}, { outcome: 'abandoned', size_bytes: 20_000, download_ms: 520 });
  expect(sammy.estimate()).toBeLessThan(before ?? NaN);
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { hyb as algorithm, type HybOptions } from '../abr/hyb.ts';
import { ABR_OPTIONS, createAbrState } from '../testing/abr-state.ts';
import { makeLadder } from '../film/ladder.ts';
import type { PaceInput } from './pace.ts';
import { sizesFromLists } from '../testing/sizes-from-lists.ts';
import { smooth, type SmoothOptions } from './smooth.ts';
import { bytes, kbps, seconds, transferTime } from '../units.ts';

const hyb = (options: HybOptions) => algorithm(options).session(ABR_OPTIONS);

const TOP = 3000;
const ladder = makeLadder([
  { id: 'low', bandwidth: 500_000 },
  { id: 'top', bandwidth: TOP * 1000 },
]);
if (!ladder) throw new Error('no ladder');
const [low] = ladder;

/** Segments of 2 s with these bitrates. */
const createSizes = (bitrates_kbps: readonly number[]) =>
  sizesFromLists(
    bitrates_kbps.map(() => seconds(2)),
    new Map([['top', bitrates_kbps.map((rate) => bytes((rate * 1000 * 2) / 8))]]),
  );

interface Given extends Partial<Omit<PaceInput, 'state'>> {
  buffer: number;
  speed?: number;
  at?: number;
  bitrates_kbps?: readonly number[];
}
const choosePace = (
  { buffer, speed = 1, at = 0, bitrates_kbps, ...rest }: Given,
  options: SmoothOptions = {},
) =>
  smooth(options).choosePace({
    phase: 'playing',
    state: createAbrState({
      ladder,
      buffer: seconds(buffer),
      playbackRate: speed,
      nextSegmentAt: seconds(at),
      sizes: bitrates_kbps && createSizes(bitrates_kbps),
    }),
    rung: low,
    duration: seconds(2),
    maxBuffer: seconds(30),
    abr: hyb({}),
    carried: [],
    ...rest,
  });
/** Converts a planned rate of content into a pace, which includes headers and the request's round trip. */
const asPace = (content_kbps: number) => content_kbps / 0.97;

describe('smooth', () => {
  it.each(['initial', 'recovery'] as const)('requests no pace in the %s phase', (phase) => {
    expect(choosePace({ buffer: 4, phase })).toEqual({ pace: null, reason: phase });
  });

  it('is the top bitrate if the reserve of 15 s is kept when a segment of 2 s arrives', () => {
    // The k-th segment is due at 17 + 2 (k - 1) - 15 = 2 k s, so the rate is 6000 k / 2 k for every k from 2 on.
    const { pace, reason } = choosePace({ buffer: 17 });
    expect(pace).toBeCloseTo(asPace(3000), 6);
    expect(reason).toBe('smoothed');
  });

  it('rises early for large segments in the future', () => {
    // Ten segments of 6 Mbit are followed by ten of 12 Mbit. All 180 Mbit are due with the last segment, at 17 + 38 -
    // 15 s.
    const bitrates_kbps = [...Array<number>(10).fill(3000), ...Array<number>(10).fill(6000)];
    expect(choosePace({ buffer: 17, bitrates_kbps }).pace).toBeCloseTo(asPace(4500), 6);
  });

  it('is below the bitrate of a large segment if small segments follow', () => {
    // The first segment has 12 Mbit, the others 2 Mbit. The first is due at (17 - 8.5) / (1 + 2) s: half of the buffer
    // is kept, and growth is 2. This needs 4235 kbit/s. The mean of all segments is 52 Mbit in 42 s, 1238 kbit/s. The
    // step nearest to 4235 is 1238 * 1.75² = 3792 kbit/s.
    const bitrates_kbps = [6000, ...Array<number>(20).fill(1000)];
    expect(choosePace({ buffer: 17, bitrates_kbps }).pace).toBeCloseTo(asPace((52_000 / 42) * 1.75 ** 2), 6);
  });

  it('does not rise for a segment for which the player has no room yet', () => {
    // Five segments of 0.6 Mbit, for which there is room every 2 s, are followed by a segment of 60 Mbit. The plan's
    // rate is 300 kbit/s. The mean is 63 Mbit in 12 s, 5250 kbit/s, and the fifth step below it is 320 kbit/s.
    const bitrates_kbps = [300, 300, 300, 300, 300, 30_000];
    expect(choosePace({ buffer: 28, bitrates_kbps })).toMatchObject({ reason: 'smoothed' });
    expect(choosePace({ buffer: 28, bitrates_kbps }).pace).toBeCloseTo(asPace(5250 / 1.75 ** 5), 6);
  });

  it('fills the reserve at three times the playback speed, with at most 3.2 times the top bitrate', () => {
    // While the reserve grows, the first k segments, 6000 k kbit, are due at (6 + 2 (k - 1) - 3) / 3 s. The eighth
    // determines the rate: 48,000 / (17 / 3) = 8471 kbit/s, and the nearest step is 3000 * 1.75² = 9188.
    expect(choosePace({ buffer: 6 }).pace).toBeCloseTo(asPace(TOP * 1.75 ** 2), 6);
    expect(choosePace({ buffer: 0 }).pace).toBe(3.2 * TOP);
    // 6000 kbit within 0.1 s are too urgent for a pace.
    expect(choosePace({ buffer: 0.1 })).toMatchObject({ pace: null, reason: 'urgent' });
  });

  it('is at least Eq. 1 divided by the goodput', () => {
    // With β = 0.3, 17 s buffered and a lookahead of 10 s, Eq. 1 requires 3000 / (0.3 * (1 + 17 / 10)).
    const decision = choosePace({ buffer: 17, abr: hyb({ beta: 0.3 }) });
    expect(decision.reason).toBe('raised-to-eq-1');
    expect(decision.bound).toBeCloseTo(3703.704, 2);
    expect(decision.pace).toBeCloseTo(3703.704 / 0.9, 2);
  });

  it('uses the given options', () => {
    // The horizon has one segment of 6000 kbit, which is due at (10 - 5) / (1 + growth) s, because half of 10 s is
    // kept. The nearest steps to the resulting 2400 and 6000 kbit/s are 3000 and 3000 * 1.75 kbit/s.
    const of = (growth: number) => choosePace({ buffer: 10 }, { growth, horizon_s: 1 }).pace;
    expect(of(1)).toBeCloseTo(asPace(3000), 6);
    expect(of(4)).toBeCloseTo(asPace(3000 * 1.75), 6);
    const carried = [kbps(1.5 * TOP)];
    expect(choosePace({ buffer: 17, carried }).reason).toBe('smoothed');
    expect(choosePace({ buffer: 17, carried }, { ample: 1.6 }).reason).toBe('network-is-weak');
  });

  it.each(['reserve_s', 'growth', 'ample', 'horizon_s'])(
    'rejects a %s that is 0, negative or NaN',
    (name) => {
      for (const value of [0, -1, NaN])
        expect(() => smooth({ [name]: value })).toThrow(
          `option ${name} is ${value}, expected a number above 0`,
        );
    },
  );

  it('uses Algorithm 1 if the network recently had less than 1.25 times the top bitrate', () => {
    // 17 of 30 s count as half full, so the pace is 3 times the top bitrate.
    const weak = choosePace({ buffer: 17, carried: [kbps(3749)] });
    expect(weak.reason).toBe('network-is-weak');
    expect(weak.pace).toBeCloseTo(3 * TOP, 6);
    expect(choosePace({ buffer: 17, carried: [kbps(3750)] }).reason).toBe('smoothed');
  });

  it('is in time at double speed', () => {
    // At double speed, 34 s of content last 17 s, so the k-th segment is due at 17 + (k - 1) - 15 = k + 1 s. The plan
    // ends with the 30th: 180,000 / 31 = 5806, near twice the bitrate, which keeps the buffer level constant.
    expect(choosePace({ buffer: 34, speed: 2, maxBuffer: seconds(60) }).pace).toBeCloseTo(asPace(6000), 6);
  });

  it('keeps half of a short buffer', () => {
    // Half of 8 s is 4 s. With 6 s buffered, the k-th segment is due at 6 + 2 (k - 1) - 4 = 2 k s.
    expect(choosePace({ buffer: 6, maxBuffer: seconds(8) }).pace).toBeCloseTo(asPace(3000), 6);
  });

  it('causes no stall, and keeps at least 8 s from 20 s on, for any sizes', () => {
    const bitrates = fc.array(fc.integer({ min: 1, max: 2 * TOP }), { minLength: 60, maxLength: 60 });
    const start = fc.double({ min: 2, max: 30, noNaN: true });
    fc.assert(
      fc.property(bitrates, start, fc.constantFrom(0.93, 0.99), (bitrates_kbps, start_s, goodput) => {
        let [now, buffer] = [0, start_s];
        // One assertion per session, because 120 of them take most of the test's time.
        let [lowest, lowestLater] = [Infinity, Infinity];
        for (const [index, rate] of bitrates_kbps.entries()) {
          const { pace } = choosePace({ buffer, at: 2 * index, bitrates_kbps });
          if (pace === null) throw new Error('unpaced');
          const arrives = transferTime(bytes((rate * 1000 * 2) / 8), kbps(pace * goodput));
          now += arrives;
          buffer -= arrives;
          lowest = Math.min(lowest, buffer);
          if (now >= 20) lowestLater = Math.min(lowestLater, buffer);
          buffer += 2;
          // The player waits while the buffer is full.
          const waits = Math.max(0, buffer - 28);
          now += waits;
          buffer -= waits;
        }
        expect(lowest).toBeGreaterThan(0);
        expect(lowestLater).toBeGreaterThan(8);
      }),
    );
  });
});

describe('smooth at other speeds', () => {
  it('has a name', () => {
    expect(smooth().name).toBe('smooth');
    expect(() => smooth({ nothing: 1 } as SmoothOptions)).toThrow('smooth');
  });

  it('lets the buffer grow with Algorithm 1 if no throughput suffices', () => {
    const abr = { requiredThroughput: () => kbps(Infinity) };
    const decision = choosePace({ buffer: 15, abr });
    expect(decision).toMatchObject({ reason: 'buffer-is-to-grow', multiplier: 3.2 });
    expect(decision.pace).toBeCloseTo(3.2 * TOP, 6);
  });

  it('plans twice the rate at twice the speed', () => {
    const [once, twice] = [1, 2].map((speed) =>
      choosePace({ buffer: 20 * speed, speed, maxBuffer: seconds(60) }),
    );
    expect((twice?.pace ?? 0) / (once?.pace ?? 1)).toBeCloseTo(2, 1);
  });

  it('raises the limit for urgent segments with the playback rate, but does not lower it', () => {
    // The limit is 3.2 * 3000 = 9600 kbit/s, or twice as much at double speed. A requirement of 10,000 kbit/s needs a
    // pace of 10,000 / 0.9 = 11,111 kbit/s, and one of 8000 kbit/s a pace of 8889.
    const abr = { requiredThroughput: () => kbps(10_000) };
    expect(choosePace({ buffer: 10, abr }).reason).toBe('urgent');
    expect(choosePace({ buffer: 10, abr, speed: 2 }).reason).not.toBe('urgent');
    const less = { requiredThroughput: () => kbps(8000) };
    expect(choosePace({ buffer: 10, abr: less, speed: 0.5 }).reason).not.toBe('urgent');
  });
});

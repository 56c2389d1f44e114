import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { AbrState } from './abr.ts';
import { HYB, hyb as algorithm, type HybOptions } from './hyb.ts';
import { makeLadder, topRung, type Ladder, type Rung } from '../film/ladder.ts';
import { sizesFromLists } from '../testing/sizes-from-lists.ts';
import { ABR_OPTIONS, createAbrState } from '../testing/abr-state.ts';
import { bytes, kbps, seconds } from '../units.ts';

/** HYB without the checks of its options, because the equations also hold outside of their ranges. */
const hyb = (options: HybOptions) => HYB.session({ ...ABR_OPTIONS, ...options });

const createLadder = (...bitrates_kbps: number[]): Ladder => {
  const ladder = makeLadder(bitrates_kbps.map((rate) => ({ id: `${rate}`, bandwidth: rate * 1000 })));
  if (!ladder) throw new Error('empty ladder');
  return ladder;
};
const createState = (given: Partial<Omit<AbrState, 'buffer'>> & { buffer?: number } = {}): AbrState =>
  createAbrState({ ladder: createLadder(300, 1000, 3000), ...given, buffer: seconds(given.buffer ?? 0) });
const required = (state: AbrState, options: { beta: number; lookahead_s: number }) =>
  hyb(options).requiredThroughput(state, topRung(state.ladder));

describe('requiredThroughput', () => {
  // Sammy Eq. 1 and Figure 2, with D_T = 10 s: x >= (r / β) / (1 + B_0 / D_T), r = 3000 kbit/s.
  it.each([
    [0.5, 0, 6000], // "if β = 0.5 and the buffer is empty [...] at least twice the bitrate" (§4.2)
    [0.5, 10, 3000],
    [0.5, 30, 1500],
    [1, 0, 3000],
    [0.8, 5, 2500],
    [1, 5, 30_000 / 13], // 2308, above Eq. 1's 2000: 30,000 kbit must arrive while 5 s and the first four segments play
    [0.8, 0, 3750],
    [0.8, 2.5, 3000],
  ])('with β = %d and %d s of buffer is %d kbit/s', (beta, buffer, expected) => {
    expect(required(createState({ buffer }), { beta, lookahead_s: 10 })).toBeCloseTo(expected, 6);
  });

  it('has no condition per segment in low-latency live, where 1 s of buffer and segments of 2 s would require twice the bitrate', () => {
    const state = createState({ buffer: 1, segmentDuration: seconds(2) });
    const options = { beta: 0.8, lookahead_s: 10 };
    expect(required(state, options)).toBeCloseTo((3000 * 2) / 1, 6);
    expect(required({ ...state, lowLatency: true }, options)).toBeCloseTo(3000 / 0.8 / 1.1, 6);
  });

  it('doubles at double speed', () => {
    const state = createState({ buffer: 10, playbackRate: 2 });
    expect(required(state, { beta: 0.5, lookahead_s: 10 })).toBeCloseTo(6000, 6);
    expect(required({ ...state, playbackRate: 0.5 }, { beta: 0.5, lookahead_s: 10 })).toBeCloseTo(1500, 6);
  });

  const durations = [2, 2, 2].map(seconds);
  const vbr = (...sizes: number[]) => sizesFromLists(durations, new Map([['3000', sizes.map(bytes)]]));

  it('uses the actual sizes: 3 segments of 1 MB in 6 s are 4000 kbit/s', () => {
    const sizes = vbr(1_000_000, 1_000_000, 1_000_000);
    // β = 0.5 requires 4000 / 0.5 with an empty buffer, and half of this with 6 s buffered.
    expect(required(createState({ sizes }), { beta: 0.5, lookahead_s: 6 })).toBeCloseTo(8000, 6);
    expect(required(createState({ sizes, buffer: 6 }), { beta: 0.5, lookahead_s: 6 })).toBeCloseTo(4000, 6);
  });

  it('covers a large segment that the average would hide', () => {
    // 3 MB, then nothing: 24,000 kbit must arrive while 2 s play, although the average over 2 + 6 s is only 3000
    // kbit/s.
    const sizes = vbr(3_000_000, 0, 0);
    expect(required(createState({ sizes, buffer: 2 }), { beta: 1, lookahead_s: 6 })).toBeCloseTo(12_000, 6);
    // A large last segment may also use the duration of the two segments before it: 24,000 kbit in 2 + 4 s.
    const late = createState({ sizes: vbr(0, 0, 3_000_000), buffer: 2 });
    expect(required(late, { beta: 1, lookahead_s: 6 })).toBeCloseTo(4000, 6);
  });

  it('does not stall at just the predicted throughput, with 2 s of buffer and a first segment of 2.5 times the bitrate', () => {
    // 15,000 kbit in 2 s are 7500 kbit/s. The condition at the end of the lookahead alone requires 39,000 / (0.8 * 12)
    // = 4062.
    const durations_s = [2, 2, 2, 2, 2].map(seconds);
    const segments = [1_875_000, 750_000, 750_000, 750_000, 750_000].map(bytes);
    const sizes = sizesFromLists(durations_s, new Map([['3000', segments]]));
    expect(required(createState({ sizes, buffer: 2 }), { beta: 0.8, lookahead_s: 10 })).toBeCloseTo(7500, 6);
  });

  it('applies the condition per segment after the first arrival if the buffer is empty', () => {
    // The second segment's 24,000 kbit must arrive while the first segment's 2 s play. The condition at the end of the
    // lookahead is only 24,000 kbit in 6 s.
    expect(required(createState({ sizes: vbr(0, 3_000_000, 0) }), { beta: 1, lookahead_s: 6 })).toBeCloseTo(
      12_000,
      6,
    );
    expect(required(createState({ sizes: vbr(3_000_000, 0, 0) }), { beta: 1, lookahead_s: 6 })).toBeCloseTo(
      4000,
      6,
    );
  });

  it('ignores segments after the lookahead', () => {
    const sizes = vbr(250_000, 250_000, 99_000_000);
    expect(required(createState({ sizes }), { beta: 1, lookahead_s: 4 })).toBeCloseTo(1000, 6);
  });

  it('uses the nominal bitrate after the last known segment', () => {
    const state = createState({ sizes: vbr(1, 1, 1), nextSegmentAt: seconds(100) });
    expect(required(state, { beta: 0.5, lookahead_s: 10 })).toBeCloseTo(6000, 6);
  });

  const positive = (max: number) => fc.double({ min: 0.05, max, noNaN: true });
  const buffers = fc.oneof(fc.constant(0), fc.double({ min: 0.01, max: 300, noNaN: true }));

  it('is Eq. 1 for any constant bitrate, or the condition of the last segment, with and without known sizes', () => {
    fc.assert(
      fc.property(
        positive(1),
        buffers,
        fc.integer({ min: 1, max: 20 }),
        positive(10),
        positive(5),
        (beta, buffer, count, duration, speed) => {
          const bitrate_kbps = 3000;
          const each = Array.from({ length: count }, () => seconds(duration));
          const size = bytes((bitrate_kbps * 1000 * duration) / 8);
          const sizes = sizesFromLists(each, new Map([['3000', each.map(() => size)]]));
          const total = duration * count;
          const eq1 = ((bitrate_kbps / beta) * speed) / (1 + buffer / total);
          // Segment n, counted from 0, must arrive while the buffer and the n segments before it play. With an empty
          // buffer, playback waits for segment 0 anyway.
          const guards = each.map((_, n) =>
            buffer > 0
              ? (bitrate_kbps * duration * (n + 1) * speed) / (buffer + duration * n)
              : n > 0
                ? bitrate_kbps * speed
                : 0,
          );
          const expected = Math.max(eq1, ...guards);
          const known = createState({ sizes });
          const unknown = createState({ segmentDuration: seconds(duration) });
          for (const state of [known, unknown]) {
            const found = required(
              { ...state, buffer: seconds(buffer), playbackRate: speed },
              { beta, lookahead_s: total - 1e-6 * duration },
            );
            expect(found / expected).toBeCloseTo(1, 5);
          }
        },
      ),
    );
  });

  const someSizes = fc.array(fc.integer({ min: 0, max: 5_000_000 }), { minLength: 1, maxLength: 30 });
  /** A buffer level above 0. */
  const playing = fc.double({ min: 0.01, max: 300, noNaN: true });

  it('never rises with the buffer', () => {
    fc.assert(
      fc.property(someSizes, playing, playing, (list, a, b) => {
        const sizes = sizesFromLists(
          list.map(() => seconds(2)),
          new Map([['3000', list.map(bytes)]]),
        );
        const at = (buffer: number) =>
          required(createState({ sizes, buffer }), { beta: 0.8, lookahead_s: 10 });
        expect(at(Math.max(a, b))).toBeLessThanOrEqual(at(Math.min(a, b)));
      }),
    );
  });

  it('avoids stalls and keeps B_T above zero with β (Theorem A.1), and a lower throughput does not', () => {
    fc.assert(
      fc.property(someSizes, playing, positive(1), (list, buffer, beta) => {
        const sizes = sizesFromLists(
          list.map(() => seconds(2)),
          new Map([['3000', list.map(bytes)]]),
        );
        const x = required(createState({ sizes, buffer }), { beta, lookahead_s: 10 });
        const ahead = list.slice(0, 5).map((size) => (size * 8) / 1000);
        /**
         * Returns the lowest buffer level at the arrival of one of 5 segments, and B_T (hyb.ts) at the end of the 5.
         */
        const least = (throughput: number) => {
          let level = buffer;
          const arrivals = ahead.map((size) => {
            const left = level - size / throughput;
            level = left + 2;
            return left;
          });
          const end = buffer + 2 * ahead.length - ahead.reduce((a, b) => a + b) / (beta * throughput);
          return Math.min(end, ...arrivals);
        };
        if (x === 0) return;
        expect(least(x * 1.000001)).toBeGreaterThanOrEqual(-1e-4);
        expect(least(x * 0.99)).toBeLessThan(0);
      }),
    );
  });
});

describe('choose', () => {
  const half = hyb({ beta: 0.5, lookahead_s: 10 });

  // With β = 0.5 and a lookahead of 10 s, a rung requires twice its bitrate with an empty buffer, and exactly its
  // bitrate with 10 s buffered.
  it.each([
    [0, 5999, '1000', 'highest-sustainable'],
    [0, 6000, '3000', 'top'],
    [0, 599, '300', 'nothing-sustainable'],
    [0, 600, '300', 'highest-sustainable'],
    [10, 2999, '1000', 'highest-sustainable'],
    [10, 3000, '3000', 'top'],
  ])('with %d s of buffer and %d kbit/s chooses %s', (buffer, throughput, id, reason) => {
    expect(half.choose(createState({ buffer, throughput: kbps(throughput) }))).toMatchObject({
      rung: { id },
      reason,
    });
  });

  // With 10 s of buffer and of lookahead, a switch up requires 1.2 times the bitrate. The previous rung is kept down to
  // 10 / (0.9 (10 + 10)) = 0.556 of its bitrate.
  it.each([
    ['1000', 3300, '1000', 'held-by-inertia'],
    ['1000', 3600, '3000', 'top'],
    ['3000', 3000, '3000', 'top'],
    ['3000', 2999, '3000', 'held-by-inertia'],
    ['3000', 1600, '1000', 'highest-sustainable'],
    ['1000', 900, '1000', 'held-by-inertia'],
    ['300', 100, '300', 'nothing-sustainable'],
  ])('after %s with 10 s of buffer and %d kbit/s chooses %s: %s', (before, throughput, id, reason) => {
    const state = createState({ buffer: 10, throughput: kbps(throughput) });
    const previous = state.ladder.find((rung) => rung.id === before);
    expect(half.choose({ ...state, previous })).toMatchObject({ rung: { id }, reason });
  });

  it('chooses at least a rung exactly if the throughput reaches its required throughput', () => {
    fc.assert(
      fc.property(
        fc.uniqueArray(fc.integer({ min: 50, max: 50_000 }), { minLength: 1, maxLength: 8 }),
        fc.double({ min: 0, max: 240, noNaN: true }),
        fc.double({ min: 0, max: 100_000, noNaN: true }),
        fc.double({ min: 0.05, max: 1, noNaN: true }),
        (bitrates, buffer, throughput, beta) => {
          const session = hyb({ beta });
          const state = createState({
            ladder: createLadder(...bitrates),
            buffer,
            throughput: kbps(throughput),
          });
          const { rung } = session.choose(state);
          for (const [index, candidate] of state.ladder.entries()) {
            // Skip the lowest rung, which is always taken as a last resort.
            if (index === 0) continue;
            expect(rung.bitrate_kbps >= candidate.bitrate_kbps).toBe(
              throughput >= session.requiredThroughput(state, candidate),
            );
          }
        },
      ),
    );
  });

  describe('with a rung that plays already', () => {
    const usual = hyb({ beta: 0.8, lookahead_s: 10 });
    const [low, middle, top] = createLadder(300, 1000, 3000) as [Rung, Rung, Rung];
    const chosen = (previous: Rung, throughput: number, buffer = 10) =>
      usual.choose(createState({ buffer, previous, throughput: kbps(throughput) })).rung.id;

    // With 10 s buffered, a switch up to the top rung requires 1.2 * 3000 / (0.8 * 2) = 2250 kbit/s. To stay, it
    // requires 3000 / (0.9 * 2) = 1667, which is also the condition of the fifth segment: 30,000 kbit in 10 + 8 s.
    it('switches up only with a fifth of the throughput to spare', () => {
      expect(chosen(middle, 2249)).toBe('1000');
      expect(chosen(middle, 2250)).toBe('3000');
    });
    it('switches down only if nine tenths of the estimate do not sustain the rung', () => {
      expect(chosen(top, 1667)).toBe('3000');
      expect(chosen(top, 1666)).toBe('1000');
    });
    it('may skip rungs in both directions', () => {
      expect(chosen(low, 2250)).toBe('3000');
      expect(chosen(top, 300)).toBe('300');
    });
  });

  it('takes the lowest rung at a throughput of 0', () => {
    expect(half.choose(createState({ throughput: kbps(0) })).rung.id).toBe('300');
    expect(half.choose(createState({ throughput: kbps(Number.NaN) })).rung.id).toBe('300');
  });
});

it.each([
  [{ beta: 0 }, /^option beta is 0, expected a number from 0\.05 to 1$/],
  [{ beta: 1.1 }, /^option beta is 1\.1, expected a number from 0\.05 to 1$/],
  [{ lookahead_s: 0.5 }, /^option lookahead_s is 0\.5, expected a number from 1 to 120$/],
  [{ beta: NaN }, /^option beta is NaN/],
  [{ lookahead_s: -1 }, /^option lookahead_s is -1/],
  [{ lookahead_s: Infinity }, /^option lookahead_s is Infinity/],
])('hyb(%j) is refused', (options: object, message) => {
  expect(() => algorithm(options)).toThrow(message);
});

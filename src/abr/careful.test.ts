import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { topOf } from '../film/ladder.ts';
import { ABR_OPTIONS, abrStateOf } from '../testing/abr-state.ts';
import { downloadOf } from '../testing/download.ts';
import { ladderOf } from '../testing/session.ts';
import { kbps, seconds } from '../units.ts';
import type { AbrState } from './abr.ts';
import { careful } from './careful.ts';
import { hyb } from './hyb.ts';
import { harmonicMean } from './predict.ts';

const ladder = ladderOf([300, 1000, 3000]);
const [low, middle, top] = ladder;
if (!middle || !top) throw new Error('no ladder');

const stateOf = (
  buffer: number,
  samples_kbps: readonly number[],
  given: Partial<AbrState> = {},
): AbrState => {
  const state = abrStateOf({ ladder, segmentDuration: seconds(2), buffer: seconds(buffer), ...given });
  return { ...state, downloads: samples_kbps.map((sample) => downloadOf(state, low, kbps(sample))) };
};
const session = careful().session(ABR_OPTIONS);

describe('the reserve', () => {
  const required = (buffer: number, downloads: number, previous = top) => {
    const samples = Array<number>(downloads).fill(1e6);
    return session.requiredThroughput(stateOf(buffer, samples, { previous }), top);
  };

  it('is half of what has arrived: of six segments of 2 s 6 of 8 s are kept, and 3000 * 10 / (2 + 10) are needed', () => {
    expect(required(8, 6)).toBeCloseTo(2500, 6);
  });

  it('is nothing at the start, where it is HYB: 3000 * 10 / (8 + 8) before the last segment arrives', () => {
    expect(required(8, 0)).toBeCloseTo(1875, 6);
    const state = stateOf(8, [], { previous: top });
    expect(hyb().session(ABR_OPTIONS).requiredThroughput(state, top)).toBeCloseTo(1875, 6);
  });

  it('is at most half of the 18 s that the player fills up to', () => {
    // Of 12 s 9 are kept: 3000 * 10 / (3 + 10).
    for (const downloads of [9, 10]) expect(required(12, downloads)).toBeCloseTo(30_000 / 13, 6);
  });
});

describe('the least of the last three samples', () => {
  const required = (state: AbrState) => session.requiredThroughput(state, top);

  it('would be in time: 6000 kbit in three eighths of 16 s are 1000 kbit/s, of which the least is a share', () => {
    // Harmonic mean of 1000, 2000, 2000, 2000 and 4000 is 20000 / 11; the least of the last three 2000 is 1.1 of it.
    const fast = stateOf(16, [1000, 2000, 2000, 2000, 4000], { previous: middle });
    expect(harmonicMean(fast)).toBeCloseTo(20_000 / 11, 6);
    // Eq. 1 with β and the margin for a switch up: 1.2 * 30000 / (0.8 * 26) = 1731, more than 1.2 * 1000 / 1.1.
    expect(required(fast)).toBeCloseTo((1.2 * 30_000) / (0.8 * 26), 6);
    // Of 1000, 3000 and 3000 the mean is 1800, of which 1000 is 5/9.
    expect(required(stateOf(16, [1000, 3000, 3000], { previous: middle }))).toBeCloseTo(1.2 * 1000 * 1.8, 6);
  });

  it('asks for no margin for a rung that plays already', () => {
    // 6000 kbit in 6 s: 1000 kbit/s, times 1.8.
    expect(required(stateOf(16, [1000, 3000, 3000], { previous: top }))).toBeCloseTo(1800, 6);
  });

  it('is in time as fast as it plays: with 4 s of buffer in 2 s', () => {
    expect(required(stateOf(4, [1000, 3000, 3000], { previous: middle }))).toBeCloseTo(1.2 * 3000 * 1.8, 6);
  });

  it('counts no pace as the network: what the pace limited is as fast as the estimate', () => {
    const state = stateOf(16, [], { previous: middle, throughput: kbps(8000) });
    const downloads = [3000, 3000].map((pace) => ({
      ...downloadOf(state, low, kbps(pace)),
      pace_limited: true,
    }));
    expect(required({ ...state, downloads })).toBeCloseTo((1.2 * 30_000) / (0.8 * 26), 6);
  });
});

it('takes a rung or a higher one if, and only if, the predicted throughput reaches what that rung requires', () => {
  const samples = fc.array(fc.double({ min: 50, max: 20_000, noNaN: true }), { minLength: 1, maxLength: 10 });
  fc.assert(
    fc.property(
      samples,
      fc.double({ min: 0.1, max: 30, noNaN: true }),
      fc.option(fc.nat(2), { nil: undefined }),
      (samples_kbps, buffer, previous) => {
        const state = stateOf(buffer, samples_kbps, {
          previous: previous === undefined ? undefined : ladder[previous],
        });
        const { rung } = session.choose(state);
        for (const candidate of [middle, topOf(ladder)])
          expect(rung.bitrate_kbps >= candidate.bitrate_kbps).toBe(
            harmonicMean(state) >= session.requiredThroughput(state, candidate),
          );
      },
    ),
  );
});

import { describe, expect, it } from 'vitest';
import { seededRandom } from '../../../emulation/ground/statistics/random.ts';
import { scheduledRate } from '../../../emulation/network/virtual/rounds/rates.ts';
import { BEGINNING, bestPlan } from './best-plan.ts';
import type { Foreknown } from './foreknown.ts';

/**
 * A video with segments of two seconds. A low segment takes 1 s to arrive and a high one 2.5 s, no matter when it is
 * requested.
 */
const SMALL: Foreknown = {
  durations_s: [2, 2, 2, 2],
  quality_db: [
    [10, 16],
    [10, 15],
    [10, 15],
    [10, 15],
  ],
  arrival: ({ rung, asked_s }) => asked_s + (rung === 0 ? 1 : 2.5),
  most: () => 30,
  until_s: 100,
};

describe('the best plan', () => {
  /*
   * High, low, high, high arrive at 2.5, 3.5, 6 and 8.5 s and play until 4.5, 6.5, 8.5 and 10.5 s. This plan has no
   * stall and is worth 16 + (10 - 5) + (15 - 5) + 15 = 46 dB. With two high segments first, playback would stall for
   * half a second, which costs 50 dB. The next best plan is low, low, high, high, with 10 + 10 + (15 - 5) + 15 = 45 dB.
   */
  it('matches the plan computed by hand', () => {
    const plan = bestPlan(SMALL, BEGINNING(0));
    expect(plan.rungs).toEqual([1, 0, 1, 1]);
    expect(plan.value).toBeCloseTo(46, 9);
  });

  it('ends with the session', () => {
    // A high segment begins at 2.5 s and plays until 4.5 s; a low one begins at 1 s.
    expect(bestPlan({ ...SMALL, until_s: 3 }, BEGINNING(0))).toEqual({
      rungs: [1],
      value: expect.closeTo(16, 9) as number,
    });
    // Two low segments begin at 1 and 3 s and are worth 20 dB. A high segment would be the only one to begin before 4.5
    // s, and is worth 16 dB.
    expect(bestPlan({ ...SMALL, until_s: 4.5 }, BEGINNING(0))).toEqual({
      rungs: [0, 0],
      value: expect.closeTo(20, 9) as number,
    });
  });

  it('requests nothing while the buffer is full', () => {
    const asked: number[] = [];
    const arrival: Foreknown['arrival'] = ({ asked_s }) => {
      asked.push(asked_s);
      return asked_s + 0.5;
    };
    // There is a single rung. At 1 s, 3.5 s are buffered. At 2.5 s, 2 s are buffered, so that another segment of 2 s
    // fits into the limit of 4 s.
    const quality_db = [[10], [10], [10]];
    bestPlan({ ...SMALL, durations_s: [2, 2, 2], quality_db, most: () => 4, arrival }, BEGINNING(0));
    expect(asked).toEqual([0, 0.5, 2.5]);
  });

  it('is no worse than any other sequence', () => {
    const random = seededRandom(9);
    for (let round = 0; round < 60; round++) {
      const known = randomProblem(random);
      const most = Math.max(...sequences(known).map((rungs) => plainValue(known, rungs)));
      expect(bestPlan(known, BEGINNING(0)).value).toBeCloseTo(most, 6);
      // With at most two ways per segment and rung, some ways are dropped, so the plan may be worse.
      expect(bestPlan(known, BEGINNING(0), 2).value).toBeLessThanOrEqual(most + 1e-6);
    }
  });
});

/** Makes a random problem: six segments of three rungs over a link that sometimes stands still. */
function randomProblem(random: () => number): Foreknown {
  const steps = Array.from({ length: 8 }, () => ({
    seconds: 0.5 + 3 * random(),
    mbps: Math.max(0, 4 * random() - 1),
  }));
  const link = scheduledRate([...steps, { seconds: 1, mbps: 1 }]);
  const durations_s = Array.from({ length: 6 }, () => 1 + 2 * random());
  const scenes = durations_s.map(() => 0.5 + random());
  return {
    durations_s,
    quality_db: scenes.map((scene) => [10 - scene, 13 - scene, 16 - scene]),
    arrival: ({ segment, rung, asked_s }) =>
      link.timeToCarry(1000 * asked_s, 80_000 * 2 ** rung * (scenes[segment] ?? 1)) / 1000,
    most: (rung) => (rung === 2 ? 7 : 5),
    until_s: 6 + 8 * random(),
  };
}

const sequences = ({ durations_s }: Foreknown): number[][] =>
  durations_s.reduce<number[][]>(
    (all) => all.flatMap((rungs) => [0, 1, 2].map((rung) => [...rungs, rung])),
    [[]],
  );

/**
 * Computes the same value in another way: segment by segment, with a buffer level instead of the time until which all
 * content has played.
 */
function plainValue(
  { durations_s, quality_db, arrival, most, until_s }: Foreknown,
  rungs: readonly number[],
): number {
  let [now_s, buffer_s, value] = [0, 0, 0];
  for (const [segment, rung] of rungs.entries()) {
    const previous = rungs[segment - 1];
    const duration_s = durations_s[segment] ?? 0;
    const free_s = now_s;
    const wait_s = previous === undefined ? 0 : Math.max(0, buffer_s - (most(previous) - duration_s));
    const at_s = arrival({ segment, rung, previous, asked_s: now_s + wait_s, free_s });
    const begins_s = Math.max(at_s, now_s + buffer_s);
    const empty_s = Math.min(until_s, now_s + buffer_s);
    if (segment > 0) value -= 100 * (Math.min(until_s, begins_s) - empty_s);
    if (begins_s >= until_s) return value;
    const here = quality_db[segment]?.[rung] ?? NaN;
    value += here - (previous === undefined ? 0 : Math.abs(here - (quality_db[segment]?.[previous] ?? NaN)));
    [now_s, buffer_s] = [at_s, begins_s - at_s + duration_s];
  }
  return value;
}

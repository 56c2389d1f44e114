import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { PlanInputs } from '../qoe.ts';
import { LikelyTimes } from './likely-times.ts';
import { BINS } from './ttp-model.ts';
import { ValueIteration, type PlanningProblem } from './value-iteration.ts';

const MU = 100;
/** The times are multiples of the buffer step, so that no bin is rounded. */
const times_s = Array.from({ length: BINS }, (_, bin) => bin / 2);

/** Creates plan inputs whose gains are quality minus the quality difference, by previous rung and by rung. */
function planInputs(quality: readonly (readonly number[])[], previous: number): PlanInputs {
  const rungs = quality[0]?.length ?? 0;
  const gainsAfter = (before: number, here: readonly number[]) =>
    Float64Array.from(here.map((each) => each - Math.abs(each - (here[before] ?? 0))));
  return {
    steps: quality.length,
    rungs,
    size: quality.map((here) => Float64Array.from(here.map((_, rung) => 100_000 * (rung + 1)))),
    duration: quality.map(() => 2),
    gain: quality.map((here, step) =>
      (step === 0 ? [previous] : here.map((_, rung) => rung)).map((before) => gainsAfter(before, here)),
    ),
    byBitrate: false,
  };
}

/** Creates a planning problem. Probabilities are ordered by step, then by rung, then by bin. */
function planned(
  course: PlanInputs,
  probabilities: Float32Array,
  given: Partial<PlanningProblem> = {},
): PlanningProblem {
  const ahead = new LikelyTimes(course.steps * course.rungs);
  for (let segment = 0; segment < course.steps * course.rungs; segment++)
    ahead.set(segment, probabilities.subarray(segment * BINS, (segment + 1) * BINS), times_s, 1);
  return { course, mu_per_s: MU, lowLatency: false, end: () => 0, buffer_s: 2, ahead, ...given };
}

/** Adds the quality of the first step, which the literal recursion includes. */
const withGains = (means: Float64Array, { gain }: PlanInputs) =>
  [...means].map((mean, rung) => mean + (gain[0]?.[0]?.[rung] ?? 0));

/** Eq. 2.2 of Puffer's thesis as a recursion without a table. Returns the value of the best plans by first rung. */
function literally(
  { course, end, buffer_s }: PlanningProblem,
  lateShare: (step: number, rung: number, bin: number) => number,
  least_s: (size: number) => number,
) {
  const after = (step: number, rung: number, buffer_s: number): number => {
    let mean = 0;
    for (let bin = 0; bin < BINS; bin++) {
      const share = lateShare(step, rung, bin);
      if (share === 0) continue;
      const time_s = Math.max(times_s[bin] ?? 0, least_s(course.size[step]?.[rung] ?? 0));
      const left_s = Math.max(0, buffer_s - time_s) + 2;
      mean += share * (-MU * Math.max(0, time_s - buffer_s) + value(step + 1, rung, left_s));
    }
    return mean;
  };
  const value = (step: number, before: number, buffer_s: number): number =>
    step === course.steps
      ? end(buffer_s)
      : Math.max(
          ...[...(course.gain[step]?.[before] ?? [])].map((gain, rung) => gain + after(step, rung, buffer_s)),
        );
  return [...(course.gain[0]?.[0] ?? [])].map((gain, rung) => gain + after(0, rung, buffer_s));
}

describe('ValueIteration', () => {
  it('weights a stall by its probability', () => {
    // With 2 s buffered, rung 0 (10 dB) takes 0.5 s. Rung 1 (16 dB) takes 1 s or, with probability 0.05, 3 s, which
    // stalls for 1 s.
    const course = planInputs([[10, 16]], 0);
    const probabilities = new Float32Array(2 * BINS);
    probabilities[1] = 1;
    probabilities[BINS + 2] = 0.95;
    probabilities[BINS + 6] = 0.05;
    const means = new ValueIteration(2).unpaced(planned(course, probabilities));
    const [low, high] = withGains(means, course);
    expect(low).toBeCloseTo(10, 6);
    // The value is 16 - |16 - 10| - 0.05 x 100 dB/s x 1 s.
    expect(high).toBeCloseTo(5, 4);
  });

  it('assumes that no segment arrives sooner than its pace allows', () => {
    const course = planInputs([[10]], 0);
    const probabilities = new Float32Array(BINS);
    probabilities[1] = 1;
    const iteration = new ValueIteration(1);
    const plan = planned(course, probabilities);
    expect(
      withGains(
        iteration.paced(plan, () => 0.25),
        course,
      )[0],
    ).toBeCloseTo(10, 6);
    // 100 kB at 200 kbit/s take 4 s, 2 s longer than the buffer lasts.
    const slow = iteration.paced(plan, (size) => (size * 8) / 200_000);
    expect(withGains(slow, course)[0]).toBeCloseTo(10 - 200, 3);
  });

  it('equals Eq. 2.2 if buffer levels and times are multiples of its step', () => {
    const spread = fc.array(fc.tuple(fc.nat(BINS - 1), fc.integer({ min: 1, max: 9 })), {
      minLength: 1,
      maxLength: 3,
    });
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.double({ min: 5, max: 25, noNaN: true }), { minLength: 3, maxLength: 3 }), {
          minLength: 1,
          maxLength: 3,
        }),
        fc.array(spread, { minLength: 9, maxLength: 9 }),
        fc.nat(2),
        fc.nat(40),
        fc.integer({ min: 0, max: 8 }),
        (quality, spreads, previous, halves, least) => {
          const course = planInputs(quality, previous);
          const probabilities = new Float32Array(course.steps * 3 * BINS);
          spreads.slice(0, course.steps * 3).forEach((each, at) => {
            const all = each.reduce((sum, [, weight]) => sum + weight, 0);
            for (const [bin, weight] of each)
              probabilities[at * BINS + bin] = (probabilities[at * BINS + bin] ?? 0) + weight / all;
          });
          const plan = planned(course, probabilities, {
            buffer_s: halves / 2,
            end: (buffer_s) => Math.min(0, buffer_s - 10),
          });
          const probability = (step: number, rung: number, bin: number) =>
            probabilities[(step * 3 + rung) * BINS + bin] ?? 0;
          const least_s = () => least / 2;
          const iteration = new ValueIteration(3);
          const isLiterally = (found: Float64Array, least_s: (size: number) => number) => {
            const expected = literally(plan, probability, least_s);
            // The tolerance is due to float32 probabilities.
            withGains(found, course).forEach((value, rung) =>
              expect(Math.abs(value - (expected[rung] ?? NaN))).toBeLessThan(1e-3),
            );
          };
          isLiterally(iteration.unpaced(plan), () => 0);
          const most = iteration.upperBounds(plan, least_s);
          const found = iteration.paced(plan, least_s);
          isLiterally(found, least_s);
          found.forEach((value, rung) => expect(most[rung]).toBeGreaterThanOrEqual(value - 1e-9));
          // The arrays are reused for other plans, and then for this plan again.
          const again = iteration.unpaced(plan);
          expect(iteration.unpaced(plan)).toEqual(again);
        },
      ),
      { numRuns: 60 },
    );
  });
});

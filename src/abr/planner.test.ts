import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Planner, type EndValue } from './planner.ts';
import type { PlanInputs } from './qoe.ts';

const MU = 100;

const list = (length: number, min: number, max: number) =>
  fc
    .array(fc.double({ min, max, noNaN: true }), { minLength: length, maxLength: length })
    .map((values) => Float64Array.from(values));

/** Plan inputs with random sizes, durations and gains. */
const planInputs = (steps: number, rungs: number): fc.Arbitrary<PlanInputs> =>
  fc
    .record({
      size: fc.array(list(rungs, 100, 3000), { minLength: steps, maxLength: steps }),
      duration: fc.array(fc.double({ min: 0.5, max: 4, noNaN: true }), {
        minLength: steps,
        maxLength: steps,
      }),
      first: list(rungs, -5, 20),
      gain: fc.array(fc.array(list(rungs, -5, 20), { minLength: rungs, maxLength: rungs }), {
        minLength: steps - 1,
        maxLength: steps - 1,
      }),
    })
    .map(({ size, duration, first, gain }) => ({
      ...{ steps, rungs, size, duration, byBitrate: false },
      gain: [[first], ...gain],
    }));

interface Search {
  readonly course: PlanInputs;
  readonly lowLatency: boolean;
  readonly reserve_s: number;
  readonly buffer_s: number;
  readonly sPerByte: number;
}
const situation = {
  lowLatency: fc.boolean(),
  reserve_s: fc.double({ min: 0.1, max: 20, noNaN: true }),
  buffer_s: fc.double({ min: -1, max: 12, noNaN: true }),
  sPerByte: fc.double({ min: 1e-4, max: 4e-3, noNaN: true }),
};

const endValue =
  (reserve_s: number): EndValue =>
  (buffer_s) =>
    -((Math.max(0, reserve_s - buffer_s) * 3) ** 2) / reserve_s;

/** The value of the best of all plans that begin with a rung, by exhaustive search. */
function bestOfAll({ course, lowLatency, reserve_s, buffer_s, sPerByte }: Search, first: number): number {
  const follow = (step: number, before: number, buffer: number, value: number): number => {
    if (step === course.steps) return value + endValue(reserve_s)(buffer);
    const duration = course.duration[step] ?? NaN;
    const rungs = step === 0 ? [first] : Array.from({ length: course.rungs }, (_, rung) => rung);
    return Math.max(
      ...rungs.map((rung) => {
        const available = buffer + (lowLatency ? duration : 0);
        const took = (course.size[step]?.[rung] ?? NaN) * sPerByte;
        const gained = (course.gain[step]?.[before]?.[rung] ?? NaN) - MU * Math.max(0, took - available);
        const left = Math.max(0, available - took) + (lowLatency ? 0 : duration);
        return follow(step + 1, rung, left, value + gained);
      }),
    );
  };
  return follow(0, 0, buffer_s, 0);
}

describe('a planner', () => {
  it('finds the best of all plans that start with a rung', () => {
    fc.assert(
      fc.property(
        fc.record({
          ...situation,
          course: fc.integer({ min: 1, max: 5 }).chain((steps) => planInputs(steps, 3)),
        }),
        (search) => {
          const { course, lowLatency, reserve_s, buffer_s, sPerByte } = search;
          const planner = new Planner(course, MU, lowLatency, endValue(reserve_s));
          for (let rung = 0; rung < course.rungs; rung++) {
            const best = bestOfAll(search, rung);
            expect(planner.best(buffer_s, sPerByte, rung, -Infinity)).toBeCloseTo(best, 9);
            expect(planner.best(buffer_s, sPerByte, rung, best + 1)).toBe(best + 1);
          }
        },
      ),
      { numRuns: 500, seed: 14 },
    );
  });

  it('examines a small part of the plans for twelve rungs in random order on any network', () => {
    fc.assert(
      fc.property(fc.record({ ...situation, course: planInputs(5, 12) }), (search) => {
        const { course, lowLatency, reserve_s, buffer_s, sPerByte } = search;
        let ends = 0;
        const end = endValue(reserve_s);
        const planner = new Planner(course, MU, lowLatency, (left_s) => {
          ends++;
          return end(left_s);
        });
        ends = 0;
        planner.best(buffer_s, sPerByte, 6, -Infinity);
        expect(ends).toBeLessThan(12 ** 4 / 4);
      }),
      { numRuns: 200, seed: 14 },
    );
  });
});

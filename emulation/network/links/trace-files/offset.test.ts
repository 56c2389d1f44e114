import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { scheduledRate, tracedRate } from '../../virtual/rounds/rates.ts';
import { rotateSteps, rotateTrace } from './offset.ts';

describe('rotateSteps', () => {
  const steps = [
    { seconds: 2, mbps: 1 },
    { seconds: 3, mbps: 5 },
  ];

  it('splits the step at the offset, and moves earlier steps to the end', () => {
    expect(rotateSteps(steps, 3500)).toEqual([
      { seconds: 1.5, mbps: 5 },
      { seconds: 2, mbps: 1 },
      { seconds: 1.5, mbps: 5 },
    ]);
    expect(rotateSteps(steps, 2000)).toEqual([steps[1], steps[0]]);
    expect(rotateSteps(steps, 0)).toEqual(steps);
  });

  it('yields the same link, shifted in time', () => {
    const step = fc.record({
      seconds: fc.integer({ min: 1, max: 3000 }).map((ms) => ms / 1000),
      mbps: fc.integer({ min: 1, max: 50 }),
    });
    fc.assert(
      fc.property(fc.array(step, { minLength: 1 }), fc.nat(), fc.nat(20_000), (each, place, until_ms) => {
        const length_ms = each.reduce((sum, { seconds }) => sum + Math.round(seconds * 1000), 0);
        const offset_ms = place % length_ms;
        const carried = scheduledRate(rotateSteps(each, offset_ms)).bytesBetween(0, until_ms);
        expect(carried).toBeCloseTo(scheduledRate(each).bytesBetween(offset_ms, offset_ms + until_ms), 3);
      }),
      { numRuns: 200 },
    );
  });
});

describe('rotateTrace', () => {
  const trace = { opportunities_ms: [0, 2, 5, 5, 9], duration_ms: 9, mean_mbps: 1 };

  it('begins at the first opportunity at or after the offset, which becomes the last', () => {
    // Shifted by 5 ms, 9 becomes 4. In the next period, 0 coincides with 9, and 2 follows 2 ms later, so they become 4
    // and 6.
    expect(rotateTrace(trace, 3).opportunities_ms).toEqual([4, 4, 6, 9, 9]);
    expect(rotateTrace(trace, 5)).toEqual(rotateTrace(trace, 3));
    expect(rotateTrace(trace, 6)).toEqual(trace);
    expect(rotateTrace(trace, 0)).toEqual(trace);
    expect(rotateTrace(trace, 9 + 3)).toEqual(rotateTrace(trace, 3));
  });

  it('carries the same bytes in every period', () => {
    for (let offset_ms = 0; offset_ms < 9; offset_ms++) {
      const moved = rotateTrace(trace, offset_ms);
      expect(moved.opportunities_ms.at(-1)).toBe(9);
      expect(tracedRate(moved).bytesUntil(18)).toBeCloseTo(tracedRate(trace).bytesUntil(18), 6);
    }
  });
});

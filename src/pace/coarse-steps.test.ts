import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { nearestFill, nearestStep } from './coarse-steps.ts';
import { kbps } from '../units.ts';

const step = (pace: number, anchor: number, least = 0) => nearestStep(kbps(pace), kbps(anchor), kbps(least));

describe('nearestStep', () => {
  // The steps are 1000 times powers of 1.75, and half a step is a factor of 1.75 ** 0.5 = 1.3229.
  it.each([
    [1000, 0, 1000],
    [1322, 0, 1000],
    [1323, 0, 1750],
    [756, 0, 1000],
    [755, 0, 1000 / 1.75],
    [3100, 0, 3062.5],
    // The result is not below the minimum.
    [1300, 1000, 1000],
    [1300, 1001, 1750],
  ])('%d kbit/s, but at least %d, become %d', (pace, least, expected) => {
    expect(step(pace, 1000, least)).toBeCloseTo(expected, 9);
  });

  it.each([
    [Infinity, 1000],
    [1200, 0],
    [1200, Infinity],
    [1200, Number.NaN],
  ])('keeps %d if the anchor is %d and no step can be computed', (pace, anchor) => {
    expect(step(pace, anchor)).toBe(pace);
  });

  it('is within half a step, or less than a step above if required by the minimum', () => {
    const rate = fc.double({ min: 1, max: 1e6, noNaN: true });
    fc.assert(
      fc.property(rate, rate, fc.double({ min: 0, max: 1, noNaN: true }), (pace, anchor, share) => {
        const near = step(pace, anchor) / pace;
        expect(near).toBeGreaterThan(1.75 ** -0.5 - 1e-9);
        expect(near).toBeLessThan(1.75 ** 0.5 + 1e-9);
        const bounded = step(pace, anchor, pace * share) / pace;
        expect(bounded).toBeGreaterThanOrEqual(share - 1e-9);
        expect(bounded).toBeLessThanOrEqual(1.75 + 1e-9);
      }),
    );
  });
});

describe('nearestFill', () => {
  it.each([
    [0, 0],
    [0.24, 0],
    [0.26, 0.5],
    [0.74, 0.5],
    [0.76, 1],
    [1, 1],
  ])('%d becomes %d', (fullness, expected) => {
    expect(nearestFill(fullness)).toBe(expected);
  });
});

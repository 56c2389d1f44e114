import { describe, expect, it } from 'vitest';
import type { Evidence } from './evidence.ts';
import { computeNumber, makeSources } from './source.ts';

const evidence: Evidence = {
  ...{ name: 'x', about: '', form: 'quick', command: '', commit: '', kernel: '', node: '', date: '' },
  seeds: [1, 2, 3, 4],
  values: {
    a: { m: [10, 12, 14, 16], none: [1, null, 3, 4], zero: [0, 0, 0, 0] },
    b: { m: [20, 20, 20, 20], none: [1, 1, 1, 1], zero: [0, 0, 0, 0] },
  },
};
const { level, change, difference } = makeSources('x');

describe('a number from evidence', () => {
  // By hand: mean 13, standard deviation √(20/3), and t(3) = 3.1824, so 13 ± 3.1824 √(20/3/4) = 13 ± 4.108.
  it('is the mean over seeds with Student’s interval', () => {
    expect(computeNumber(level('m', 'a'), evidence)).toEqual([13, 8.892, 17.11]);
  });

  it('is a change in percent of the other condition', () => {
    // By hand: 13/20 - 1 = -35%. The half width of 4.108 above is 20.54% of 20.
    expect(computeNumber(change('m', 'a', 'b'), evidence)).toEqual([-35, -55.54, -14.46]);
  });

  it('is a difference, seed by seed', () => {
    expect(computeNumber(difference('m', 'a', 'b'), evidence)).toEqual([-7, -11.11, -2.892]);
    // By hand: 0, 2 and 3 have the mean 5/3 and the standard deviation √(7/3); with t(2) = 4.3027, the half width is
    // 3.795.
    expect(computeNumber(difference('none', 'a', 'b'), evidence)).toEqual([1.667, -2.128, 5.461]);
  });

  it('is null if a percentage is impossible, and has no interval from one seed', () => {
    expect(computeNumber(change('zero', 'a', 'b'), evidence)).toBeNull();
    const one = { ...evidence, seeds: [1], values: { a: { m: [10] } } };
    expect(computeNumber(level('m', 'a'), one)).toBe(10);
  });

  it('names what the evidence does not have', () => {
    expect(() => computeNumber(level('m', 'c'), evidence)).toThrow(
      "evidence of x has no m of 'c'; measure it again",
    );
  });
});

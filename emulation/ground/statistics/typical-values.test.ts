import { describe, expect, it } from 'vitest';
import { seededRandom } from './random.ts';
import { chanceAtLeast, typicalInterval } from './typical-values.ts';

const interval = (...values: number[]) => typicalInterval(values, seededRandom(1));

describe('typicalInterval', () => {
  it('is null for fewer than three values, and the whole range for fewer than seven', () => {
    expect(interval(1, 2)).toBeNull();
    expect(interval(6, 0, 2)).toEqual([0, 6]);
    // 0.025 x 64 = 1.6, so one of the 64 parts is left out at each end: the one beyond the lowest or the highest mean.
    expect(interval(5, 1, 9, 4, 7, 3)).toEqual([1, 9]);
  });

  it('leaves out as many subset means at each end as 2.5% of the parts', () => {
    // 0.025 x 256 = 6.4, so the interval ends at the sixth highest of 255 means. One mean is 1, the next seven are 1/2;
    // all means of subsets without the 1 are 0.
    expect(interval(0, 0, 0, 0, 0, 0, 0, 1)).toEqual([0, 0.5]);
  });

  it.each([8, 20])('holds the center of %d values in 95% of samples, even with outliers', (n) => {
    const random = seededRandom(n);
    const simulations = 400;
    let held = 0;
    for (let simulation = 0; simulation < simulations; simulation++) {
      // Laplace's distribution has heavier tails than the normal distribution.
      const sample = Array.from({ length: n }, () => 7 + (random() < 0.5 ? -1 : 1) * Math.log(1 - random()));
      const [low, high] = typicalInterval(sample, random) ?? [NaN, NaN];
      if (low <= 7 && 7 <= high) held++;
    }
    // The tolerance is three standard errors.
    expect(Math.abs(held / simulations - 0.95)).toBeLessThan(3 * Math.sqrt((0.95 * 0.05) / simulations));
  });

  it('draws the subsets of many values with the given generator', () => {
    const many = Array.from({ length: 20 }, (_, index) => index);
    expect(typicalInterval(many, seededRandom(3))).toEqual(typicalInterval(many, seededRandom(3)));
  });
});

describe('chanceAtLeast', () => {
  const chance = (bound: number, ...values: number[]) => chanceAtLeast(values, bound, seededRandom(1));

  it('is the share of the parts that reach above the bound', () => {
    // The subsets of 1, 2, 3 have the means 1, 1.5, 2, 2, 2, 2.5 and 3, which divide the line into eight parts.
    expect(chance(2.5, 1, 2, 3)).toBe(3 / 8);
    expect(chance(2.6, 1, 2, 3)).toBe(2 / 8);
    expect(chance(4, 1, 2, 3)).toBe(1 / 8);
    expect(chance(0, 1, 2, 3)).toBe(1);
  });

  it('is 1 for fewer than three values', () => {
    expect(chance(10, 1, 2)).toBe(1);
  });
});

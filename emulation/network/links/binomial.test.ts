import { expect, it } from 'vitest';
import { binomialAtMost, isUnlikely } from './binomial.ts';

it('agrees with hand arithmetic', () => {
  // At most one head in four tosses: (1 + 4) / 16.
  expect(binomialAtMost(1, 4, 0.5)).toBeCloseTo(5 / 16, 12);
  expect(binomialAtMost(4, 4, 0.5)).toBe(1);
  expect(binomialAtMost(0, 1000, 0.01)).toBeCloseTo(0.99 ** 1000, 12);
  expect(binomialAtMost(-1, 4, 0.5)).toBe(0);
});

it('is unlikely far from the mean, and if impossible hits occurred', () => {
  // 2000 draws at 1% have the mean 20 and the standard deviation 4.45. 99.9% of results are within 3.29 deviations.
  expect(isUnlikely(20, 2000, 0.01, 0.001)).toBe(false);
  expect(isUnlikely(8, 2000, 0.01, 0.001)).toBe(false);
  expect(isUnlikely(40, 2000, 0.01, 0.001)).toBe(true);
  expect(isUnlikely(4, 2000, 0.01, 0.001)).toBe(true);
  expect(isUnlikely(0, 300, 0, 0.001)).toBe(false);
  expect(isUnlikely(1, 300, 0, 0.001)).toBe(true);
});

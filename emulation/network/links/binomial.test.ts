import { expect, it } from 'vitest';
import { binomialAtMost, isUnlikely } from './binomial.ts';

it('matches hand arithmetic', () => {
  // (1 + 4) / 16 for at most one head of four.
  expect(binomialAtMost(1, 4, 0.5)).toBeCloseTo(5 / 16, 12);
  expect(binomialAtMost(4, 4, 0.5)).toBe(1);
  expect(binomialAtMost(0, 1000, 0.01)).toBeCloseTo(0.99 ** 1000, 12);
  expect(binomialAtMost(-1, 4, 0.5)).toBe(0);
});

it('is small far from the mean, and 0 for an impossible number', () => {
  // 2000 draws at 1%: mean 20, standard deviation 4.45; 3.29 deviations contain 99.9%.
  expect(isUnlikely(20, 2000, 0.01, 0.001)).toBe(false);
  expect(isUnlikely(8, 2000, 0.01, 0.001)).toBe(false);
  expect(isUnlikely(40, 2000, 0.01, 0.001)).toBe(true);
  expect(isUnlikely(4, 2000, 0.01, 0.001)).toBe(true);
  expect(isUnlikely(0, 300, 0, 0.001)).toBe(false);
  expect(isUnlikely(1, 300, 0, 0.001)).toBe(true);
});

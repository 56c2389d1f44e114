import { expect, it } from 'vitest';
import { meanOrNull, nearestRank } from './percentiles.ts';

it('computes the mean, and null without values', () => {
  expect(meanOrNull([1, 2, 6])).toBe(3);
  expect(meanOrNull([])).toBeNull();
});

it('computes percentiles by the nearest rank', () => {
  const values = [50, 15, 40, 20, 35];
  expect([0.05, 0.3, 0.4, 0.5, 1].map((fraction) => nearestRank(values, fraction))).toEqual([
    15, 20, 20, 35, 50,
  ]);
  const hundred = Array.from({ length: 100 }, (_, index) => 100 - index);
  expect(nearestRank(hundred, 0.01)).toBe(1);
  expect(nearestRank([3, 1, 2], 0.01)).toBe(1);
  expect(nearestRank([], 0.95)).toBeNull();
});

import { expect, it } from 'vitest';
import { mean, percentile } from './statistics.ts';

it('takes the mean, and none of nothing', () => {
  expect(mean([1, 2, 6])).toBe(3);
  expect(mean([])).toBeNull();
});

it('takes percentiles by the nearest rank', () => {
  const values = [50, 15, 40, 20, 35];
  expect([0.05, 0.3, 0.4, 0.5, 1].map((fraction) => percentile(values, fraction))).toEqual([
    15, 20, 20, 35, 50,
  ]);
  expect(percentile([], 0.95)).toBeNull();
});

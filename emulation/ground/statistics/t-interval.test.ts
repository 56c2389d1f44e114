import { expect, it } from 'vitest';
import { tInterval } from './t-interval.ts';

it('matches hand arithmetic and published tables', () => {
  // Mean 2, standard deviation 1, t(2) = 4.303: 4.303 / sqrt(3) = 2.484.
  const [low, high] = tInterval([1, 2, 3]) ?? [];
  expect(low).toBeCloseTo(2 - 2.4843, 3);
  expect(high).toBeCloseTo(2 + 2.4843, 3);
});

// t(0.975; df) of any table: 10: 2.228, 20: 2.086, 30: 2.042, 120: 1.980.
it.each([
  [11, 2.228],
  [21, 2.086],
  [31, 2.042],
  [121, 1.98],
])('has the half-width of the published table for %d alternating values of -1 and 1', (n, t) => {
  const values = Array.from({ length: n }, (_, index) => (index === 0 ? 0 : index % 2 === 0 ? 1 : -1));
  const [, high = NaN] = tInterval(values) ?? [];
  // Mean 0, variance (n - 1) / (n - 1) = 1.
  expect(high * Math.sqrt(n)).toBeCloseTo(t, 3);
});

it('is a point for equal values, and null for fewer than two', () => {
  expect(tInterval([4, 4])).toEqual([4, 4]);
  expect(tInterval([4])).toBeNull();
  expect(tInterval([])).toBeNull();
});

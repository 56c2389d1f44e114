import { expect, it } from 'vitest';
import { tInterval } from './t-interval.ts';

it('agrees with hand arithmetic and published tables', () => {
  // By hand: mean 2, standard deviation 1, t(2) = 4.303, so the half width is 4.303 / sqrt(3) = 2.484.
  const [low, high] = tInterval([1, 2, 3]) ?? [];
  expect(low).toBeCloseTo(2 - 2.4843, 3);
  expect(high).toBeCloseTo(2 + 2.4843, 3);
});

// The 97.5% quantiles of Student's t from any table: 2.228 for 10 degrees of freedom, 2.086 for 20, 2.042 for 30, 1.980
// for 120.
it.each([
  [11, 2.228],
  [21, 2.086],
  [31, 2.042],
  [121, 1.98],
])("of %d values, alternately -1 and 1, agrees with the table's quantile", (n, t) => {
  const values = Array.from({ length: n }, (_, index) => (index === 0 ? 0 : index % 2 === 0 ? 1 : -1));
  const [, high = NaN] = tInterval(values) ?? [];
  // The values have mean 0 and variance (n - 1) / (n - 1) = 1.
  expect(high * Math.sqrt(n)).toBeCloseTo(t, 3);
});

it('is a point for equal values, and null for fewer than two', () => {
  expect(tInterval([4, 4])).toEqual([4, 4]);
  expect(tInterval([4])).toBeNull();
  expect(tInterval([])).toBeNull();
});

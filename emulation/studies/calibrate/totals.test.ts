import { expect, it } from 'vitest';
import { rankCorrelation } from './totals.ts';

it.each<[readonly number[], readonly number[], number]>([
  [[1, 2, 3, 4], [10, 20, 30, 40], 1],
  [[1, 2, 3, 4], [4, 3, 2, 1], -1],
  // By hand: with one swap of neighbors, 1 - 6 · 2 / (4 · 15).
  [[1, 2, 3, 4], [1, 3, 2, 4], 0.8],
])("Spearman's rank correlation of %j and %j is %d", (one, other, expected) => {
  expect(rankCorrelation(one, other)).toBeCloseTo(expected, 12);
});

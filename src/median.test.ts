import { expect, it } from 'vitest';
import { median } from './median.ts';

it('is the middle value, or between the two', () => {
  expect(median([])).toBeUndefined();
  expect(median([7])).toBe(7);
  expect(median([10, 9, 1])).toBe(9);
  expect(median([100, 1, 2, 3])).toBe(2.5);
});

it('does not reorder the values', () => {
  const values = [3, 1, 2];
  median(values);
  expect(values).toEqual([3, 1, 2]);
});

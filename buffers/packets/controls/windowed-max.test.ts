import { expect, it } from 'vitest';
import { WindowedMax } from './windowed-max.ts';

it('is the maximum of the given number of recent rounds', () => {
  const max = new WindowedMax(10);
  expect(max.value).toBe(0);
  const seen = [5, 9, 7, 7, 3].map((value, index) => {
    max.add(index, value);
    return max.value;
  });
  expect(seen).toEqual([5, 9, 9, 9, 9]);
  max.add(11, 1);
  expect(max.value).toBe(9);
  max.add(12, 1);
  expect(max.value).toBe(7);
  max.add(13, 1);
  expect(max.value).toBe(7);
  max.add(14, 1);
  expect(max.value).toBe(3);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Numbering } from './numbering.ts';

const countLost = (...numbers: number[]): number => {
  const numbering = new Numbering();
  for (const number of numbers) numbering.record(1, number);
  return numbering.lost;
};

test('counts gaps as losses', () => {
  expect(countLost(7, 8, 9)).toBe(0);
  expect(countLost(7, 10)).toBe(2);
});

test('does not count late postcards as lost', () => {
  expect(countLost(7, 9, 8, 10)).toBe(0);
});

test('accepts numbers that wrap or restart at 0', () => {
  expect(countLost(2 ** 32 - 1, 0, 1)).toBe(0);
  expect(countLost(2 ** 32 - 2, 1)).toBe(2);
  expect(countLost(500, 0, 1)).toBe(0);
});

test('numbers each switch separately', () => {
  const numbering = new Numbering();
  for (const [id, number] of [
    [1, 5],
    [2, 90],
    [1, 6],
    [2, 92],
  ] as const)
    numbering.record(id, number);
  expect(numbering.lost).toBe(1);
});

test('counts exactly the postcards left out of 1000', () => {
  fc.assert(
    fc.property(
      fc.subarray(
        Array.from({ length: 1000 }, (_, at) => at + 1),
        { minLength: 2 },
      ),
      (kept) => {
        const [first = 0, last = 0] = [kept[0], kept.at(-1)];
        expect(countLost(...kept)).toBe(last - first + 1 - kept.length);
      },
    ),
  );
});

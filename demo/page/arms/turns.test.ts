import { expect, it } from 'vitest';
import { turnAt } from './turns.ts';

it('changes the arm every 5 s at first, and then every 15 s', () => {
  const arms = [0, 4.9, 5, 9.9, 10, 24.9, 25, 40].map((second) => turnAt(second, 15).arm);
  expect(arms).toEqual(['stock', 'stock', 'sammy', 'sammy', 'stock', 'stock', 'sammy', 'stock']);
});

it('counts rounds, in which each arm has one turn', () => {
  expect([0, 5, 10, 25, 40, 69].map((second) => turnAt(second, 15).round)).toEqual([0, 0, 1, 1, 2, 2]);
});

it('returns the remaining time of a turn', () => {
  expect(turnAt(3, 15).left_s).toBe(2);
  expect(turnAt(12, 30).left_s).toBe(28);
});

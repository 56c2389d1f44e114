import { expect, it } from 'vitest';
import { turnAt } from './turns.ts';

it('alternates, first every 5 s and then every 10 s', () => {
  expect([0, 4.9, 5, 9.9, 10, 19.9, 20, 30].map((second) => turnAt(second).arm)).toEqual([
    'stock',
    'stock',
    'sammy',
    'sammy',
    'stock',
    'stock',
    'sammy',
    'stock',
  ]);
});

it('counts rounds, in which each arm has one turn', () => {
  expect([0, 5, 10, 20, 30, 49].map((second) => turnAt(second).round)).toEqual([0, 0, 1, 1, 2, 2]);
});

it('says how long a turn still takes', () => {
  expect(turnAt(3).left_s).toBe(2);
  expect(turnAt(12).left_s).toBe(8);
});

import { expect, it } from 'vitest';
import { ActiveTime } from './active-time.ts';

it('runs only during turns', () => {
  const clock = new ActiveTime();
  expect(clock.at(500)).toBeNull();
  clock.begin(1000);
  expect(clock.at(999)).toBeNull();
  expect(clock.at(3500)).toBe(2.5);
  clock.end(6000);
  expect(clock.at(6001)).toBeNull();
  clock.begin(11_000);
  expect(clock.at(3500)).toBe(2.5);
  expect(clock.at(13_000)).toBe(7);
  expect(clock.starts_s).toEqual([5]);
});

it('ends once', () => {
  const clock = new ActiveTime();
  clock.begin(0);
  clock.end(1000);
  clock.end(9000);
  expect(clock.at(2000)).toBeNull();
});

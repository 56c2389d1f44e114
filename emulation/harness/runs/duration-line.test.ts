import { expect, it } from 'vitest';
import { durationLine } from './duration-line.ts';
import type { Plan } from './study.ts';

const plan: Plan = {
  settings: { name: 'single', about: '', figure: '', runs: 3, seconds: 60 },
  runs: [],
  units: '',
  overhead_s: 9,
};

it.each([
  // A run takes 69 s: six in sequence take 414 s; six in pairs take 3 x 69 s = 207 s, about 3 min.
  [6, 1, '6 runs of 60 s, about 7 min'],
  [6, 2, '6 runs of 60 s, about 3 min'],
  [1, 8, '1 run of 60 s, about 69 s'],
])('%d runs, %d at a time: %s', (runs, jobs, line) => {
  expect(durationLine(plan, runs, jobs)).toBe(line);
});

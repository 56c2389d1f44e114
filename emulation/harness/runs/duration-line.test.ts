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
  // 6 x 69 s = 414 s; two at a time, 3 x 69 s = 207 s, so 3 min.
  [6, 1, '6 runs of 60 s, about 7 min'],
  [6, 2, '6 runs of 60 s, about 3 min'],
  [1, 8, '1 run of 60 s, about 69 s'],
])('%d runs, %d at a time: %s', (runs, jobs, line) => {
  expect(durationLine(plan, runs, jobs)).toBe(line);
});

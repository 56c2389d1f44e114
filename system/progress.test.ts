import { expect, test } from 'vitest';
import { progressLine } from './progress.ts';

test.each([
  // If a third takes 20 s, 40 s are left.
  [{ task: 'Encoding', fraction: 1 / 3 }, 20, 'Encoding ... 33%, about 40 s left'],
  [{ task: 'Encoding', fraction: 0.1 }, 60, 'Encoding ... 10%, about 9 min left'],
  [{ task: 'Encoding', fraction: 0.01 }, 20, 'Encoding ... 1%'],
  [{ task: 'Encoding', fraction: 0.5 }, 0.2, 'Encoding ... 50%'],
  // An earlier process did half. This one did a quarter in 20 s, and a quarter is left.
  [{ task: 'Encoding', fraction: 0.75, doneBefore: 0.5 }, 20, 'Encoding ... 75%, about 20 s left'],
  [{ task: 'Encoding', fraction: 1 }, 20, 'Encoding ... 100%'],
  [{ task: 'It rains.', lasting: true as const }, 20, 'It rains.'],
  [{ task: 'Downloading' }, 20, 'Downloading ...'],
])('%o after %d s', (progress, elapsed_s, line) => {
  expect(progressLine(progress, elapsed_s)).toBe(line);
});

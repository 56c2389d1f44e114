import { expect, it } from 'vitest';
import { replacementPays } from './replacement-pays.ts';
import { seconds } from './units.ts';

it('replaces what is buffered up to 4 s, two segments of the usual length', () => {
  expect([0, 2, 4].map(seconds).every(replacementPays)).toBe(true);
  expect([4.01, 30, Infinity].map(seconds).some(replacementPays)).toBe(false);
});

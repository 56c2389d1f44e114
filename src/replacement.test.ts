import { expect, it } from 'vitest';
import { Replacement } from './replacement.ts';
import { kbps, seconds } from './units.ts';

const pays = (replacement: Replacement, buffer: number, throughput: number) =>
  replacement.pays(seconds(buffer), kbps(1000), kbps(throughput));

it('pays where the network carries twice the bitrate, so that half of the buffer is left', () => {
  expect(pays(new Replacement(), 4, 2000)).toBe(true);
  expect(pays(new Replacement(), 4, 1999)).toBe(false);
});

it('pays no more once over 4 s were buffered', () => {
  const replacement = new Replacement();
  expect(pays(replacement, 4, 9000)).toBe(true);
  expect(pays(replacement, 4.1, 9000)).toBe(false);
  expect(pays(replacement, 1, 9000)).toBe(false);
});

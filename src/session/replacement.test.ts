import { expect, it } from 'vitest';
import { Replacement } from './replacement.ts';
import { ladderOf } from '../testing/session.ts';
import { kbps, seconds } from '../units.ts';

const ladder = ladderOf([300, 1000]);
const pays = (replacement: Replacement, buffer: number, throughput: number, rung = ladder[1] ?? ladder[0]) =>
  replacement.pays(seconds(buffer), ladder, rung, kbps(throughput));

it('pays where the network carries 1.75 times the top bitrate', () => {
  expect(pays(new Replacement(), 4, 1750)).toBe(true);
  expect(pays(new Replacement(), 4, 1749)).toBe(false);
});

it('does not pay for a rung that would be replaced again', () => {
  expect(pays(new Replacement(), 4, 9000, ladder[0])).toBe(false);
});

it('pays no more once over 4 s were buffered', () => {
  const replacement = new Replacement();
  expect(pays(replacement, 4, 9000)).toBe(true);
  expect(pays(replacement, 4.1, 9000)).toBe(false);
  expect(pays(replacement, 1, 9000)).toBe(false);
});

import { expect, it } from 'vitest';
import { probablePace } from './probable-pace.ts';

const asked = { requested_kbps: 4000, achieved_kbps: 3900, pacing_honored: 'unknown' } as const;

it.each<[string, Partial<Parameters<typeof probablePace>[0]>, number | null]>([
  ["the edge's word", { applied_kbps: 5000 }, 5000],
  ["the edge's word that there is none", { applied_kbps: null }, null],
  ["the player's word where the edge says nothing", {}, 4000],
  ['none where none was asked for', { requested_kbps: null }, null],
  ['none where the edge is known to honor none', { pacing_honored: 'no' }, null],
  ['the pace of a download that came somewhat faster', { achieved_kbps: 8000 }, 4000],
  ['none of a download that came more than twice as fast', { achieved_kbps: 8001 }, null],
  ['the pace where nothing has arrived', { achieved_kbps: null }, 4000],
])('is %s', (_, given, pace) => {
  expect(probablePace({ ...asked, ...given })).toBe(pace);
});

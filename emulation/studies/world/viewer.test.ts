import { expect, it } from 'vitest';
import { makeLadder } from '../../../src/film/ladder.ts';
import { CONTROL } from './treatments.ts';
import { WORLD, type World } from './demand.ts';
import { Viewer } from './viewer.ts';

const ladder = makeLadder([{ id: 'only', bandwidth: 1_000_000 }]);
const arrival = { at_ms: 1000, account: 1, watch_s: 600, rank: 0.5, access_kbps: 10_000, idle_rtt_ms: 20 };
function viewer(patience?: World['patience']): Viewer {
  if (!ladder) throw new Error('no ladder');
  return new Viewer(arrival, patience ? { ...WORLD, patience } : WORLD, ladder, CONTROL);
}

it('computes when the viewer leaves if nothing more arrives, by hand', () => {
  const human = viewer('krishnan-sitaraman');
  // The leaving time, s since the viewer arrived.
  const leaves_s = () => (human.leaves_ms - arrival.at_ms) / 1000;
  human.request(1100, 0);
  // After the first two seconds, 5.8% of all viewers leave per second, so half of them have left 0.5 / 0.058 s later.
  expect(leaves_s()).toBeCloseTo(2 + 0.5 / 0.058, 9);
  // A segment of 6 s arrives after 5 s, so the buffer is empty at 11 s. From then on, each second costs 5 of the
  // remaining 589 s.
  human.request(human.arrived(6000), 0);
  expect(leaves_s()).toBeCloseTo(11 + 589 / 5, 9);
  // A stall of 9 s until 20 s costs another 36 s: 564 of 600 s are left. The buffer is empty at 26 s.
  human.arrived(21_000);
  expect(leaves_s()).toBeCloseTo(26 + (564 - 26) / 5, 9);
});

it('stays for the whole watch time if patience is endless', () => {
  const endless = viewer();
  endless.request(1100, 0);
  endless.request(endless.arrived(6000), 0);
  endless.arrived(60_000);
  expect(endless.leaves_ms).toBe(601_000);
});

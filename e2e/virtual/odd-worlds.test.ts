import { expect, it } from 'vitest';
import { ODD_RUNGS, playOddWorld } from './odd-world.ts';

// A short form of odd-worlds.long.test.ts, which also plays stock dash.js.
it('a fast server of another origin that hides its timing does not hold viewers at the lowest rungs', () => {
  const world = { mbps: 200, seconds: 10, rungs: ODD_RUNGS, hidesTiming: true };
  const { mean_kbps, stalls } = playOddWorld(world, true);
  expect(mean_kbps).toBeGreaterThan(0.9 * 3300);
  expect(stalls).toBe(0);
});

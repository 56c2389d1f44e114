import type { AbrAlgorithm } from '../../../src/abr/index.ts';
import { kbps } from '../../../src/units.ts';
import type { Arm } from './arm.ts';

export const lowestRung: AbrAlgorithm = {
  name: 'lowest',
  session: () => ({
    choose: ({ ladder }) => ({ rung: ladder[0], reason: 'always' }),
    requiredThroughput: ({ ladder }, rung) => kbps(rung.id === ladder[0].id ? 0 : Infinity),
  }),
};

/**
 * Always chooses the lowest rung, for the fewest possible stalls. No choice of rungs avoids these stalls, so they are
 * the baseline for other arms.
 */
export const lowest: Arm = {
  name: 'lowest',
  about: 'always the lowest rung, unpaced: the least that a player can stall on this network',
  sammy: { abr: lowestRung, pacing: false },
};

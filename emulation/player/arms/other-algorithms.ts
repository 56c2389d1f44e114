import type { AbrAlgorithm } from '../../../src/abr/abr.ts';
import { bba, bola, mpcHm, robustMpcHm, scenarioMpc } from '../../../src/abr/index.ts';
import type { AlgorithmExport } from '../../../src/testing/every-algorithm.ts';
import type { Arm } from './arm.ts';

/** Algorithms whose arms are defined in careful.ts, sammy.ts, fugu.ts, planner.ts and pensieve.ts. */
type ArmElsewhere = 'careful' | 'considerate' | 'hyb' | 'fugu' | 'planner' | 'pensieve';
type OtherAlgorithm = Exclude<AlgorithmExport, ArmElsewhere>;

/**
 * The remaining algorithms, with a description. An export of `dashjs-sammy/abr` without an entry is a compile error.
 * They are imported by name, not as a whole, to keep Fugu out of the landing page's worker.
 */
const OTHERS: Readonly<Record<OtherAlgorithm, readonly [make: () => AbrAlgorithm, about: string]>> = {
  bba: [bba, 'BBA by a chunk map, from 20% to 80% of the buffer (Huang et al. 2014)'],
  bola: [bola, 'BOLA-E (Spiteri et al. 2018)'],
  mpcHm: [mpcHm, 'MPC-HM (Puffer, NSDI 2020)'],
  robustMpcHm: [robustMpcHm, 'RobustMPC-HM (Puffer, NSDI 2020)'],
  scenarioMpc: [scenarioMpc, 'MPC over scenarios: the last three samples, and half of the least'],
};

const entries = Object.values(OTHERS).map(([make, about]) => [make(), about] as const);

/**
 * Two arms for each entry of `OTHERS`: `sammy-NAME` with Sammy's pace, and `NAME-unpaced`. Both arms should choose the
 * same rungs.
 */
export const otherAlgorithms: readonly Arm[] = entries.flatMap(([algorithm, about]): Arm[] => [
  {
    name: `sammy-${algorithm.name}`,
    about: `rungs by ${about}, paced as in sammy-paper`,
    unpaced: `${algorithm.name}-unpaced`,
    sammy: { abr: algorithm, pace: 'sammy' },
  },
  {
    name: `${algorithm.name}-unpaced`,
    about: `rungs by ${about}, unpaced`,
    sammy: { abr: algorithm, pacing: false },
  },
]);

/** The names of each algorithm's two arms, paced and unpaced, for algorithms that need no model. */
export const ALGORITHM_PAIRS: readonly (readonly [paced: string, unpaced: string])[] = [
  ['sammy-paper', 'initial-only'],
  ['sammy-careful', 'careful-unpaced'],
  ...entries.map(([{ name }]) => [`sammy-${name}`, `${name}-unpaced`] as const),
];

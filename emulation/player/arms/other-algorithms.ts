import {
  bba,
  bola,
  careful,
  mpcHm,
  robustMpcHm,
  scenarioMpc,
  type AbrAlgorithm,
} from '../../../src/abr/index.ts';
import type { Arm } from './arm.ts';

/** The other algorithms in the lab; to add one, add a line here. */
const OTHERS: readonly (readonly [algorithm: AbrAlgorithm, about: string])[] = [
  [careful(), 'the default algorithm, HYB that keeps a reserve'],
  [bba(), 'BBA by a chunk map, from 20% to 80% of the buffer (Huang et al. 2014)'],
  [bola(), 'BOLA-E (Spiteri et al. 2018)'],
  [mpcHm(), 'MPC-HM (Puffer, NSDI 2020)'],
  [robustMpcHm(), 'RobustMPC-HM (Puffer, NSDI 2020)'],
  [scenarioMpc(), 'MPC over scenarios: the last three samples, and half of the least'],
];

/** Two arms for each: with Sammy's pace, `sammy-NAME`, and without, `NAME-unpaced`. Both should choose the same rungs. */
export const otherAlgorithms: readonly Arm[] = OTHERS.flatMap(([abr, about]): Arm[] => [
  {
    name: `sammy-${abr.name}`,
    about: `rungs by ${about}, paced as in sammy`,
    unpaced: `${abr.name}-unpaced`,
    sammy: { abr },
  },
  { name: `${abr.name}-unpaced`, about: `rungs by ${about}, unpaced`, sammy: { abr, pacing: false } },
]);

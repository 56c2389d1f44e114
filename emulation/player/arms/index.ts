import { named } from '../../../system/command-line/suggestion.ts';
import type { Arm } from './arm.ts';
import { careful, carefulAlgorithm1, carefulUnpaced, sammyConsiderate } from './careful.ts';
import { dashjs, dashjsNoFastSwitch, dashjsRtp } from './dashjs.ts';
import { exploringArm } from './exploring.ts';
import { fuguArm, fuguUnpaced } from './fugu.ts';
import { hlsjs, hlsjsSammy } from './hlsjs.ts';
import { initialOnly, sammy, sammySmooth } from './sammy.ts';
import { lowest } from './lowest.ts';
import { plannerArm, plannerUnpaced } from './planner.ts';
import { naive4x } from './naive-4x.ts';
import { otherAlgorithms } from './other-algorithms.ts';
import { parted, sammyLoop } from './sammy-loop.ts';
import { pensieveArms } from './pensieve.ts';
import { prototype2023 } from './prototype-2023.ts';
import { shaka, shakaSammy } from './shaka.ts';

/** All arms. To add one, add a file and a line here. */
export const arms: readonly Arm[] = [
  dashjs,
  dashjsNoFastSwitch,
  dashjsRtp,
  prototype2023,
  naive4x,
  initialOnly,
  sammy,
  sammySmooth,
  sammyLoop,
  ...parted,
  lowest,
  careful,
  carefulUnpaced,
  carefulAlgorithm1,
  sammyConsiderate,
  ...otherAlgorithms,
  fuguArm,
  fuguUnpaced,
  plannerArm,
  plannerUnpaced,
  ...pensieveArms,
  exploringArm,
  hlsjs,
  hlsjsSammy,
  shaka,
  shakaSammy,
];

/** Finds an arm by name. Throws an Error that lists the arms if there is none. */
export const armNamed = (name: string): Arm => named('arm', name, arms);

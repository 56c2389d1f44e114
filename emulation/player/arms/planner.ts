import { planner } from '../../../src/abr/index.ts';
import type { Arm } from './arm.ts';
import { defaultModel } from './default-model.ts';

const algorithm = planner({ model: defaultModel });

export const plannerArm: Arm = {
  name: 'planner',
  about: "Fugu's plans and paces, under the guard of the default algorithm while the buffer is short",
  unpaced: 'planner-unpaced',
  sammy: { abr: algorithm, pace: algorithm },
};

export const plannerUnpaced: Arm = {
  name: 'planner-unpaced',
  about: "rungs by Fugu's plans under the guard of the default algorithm, unpaced",
  sammy: { abr: algorithm, pacing: false },
};

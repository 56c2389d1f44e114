import { fugu } from '../../../src/abr/index.ts';
import type { Arm } from './arm.ts';
import { defaultModel } from './default-model.ts';

const algorithm = fugu({ model: defaultModel });

/** Fugu with the package's model. Its pace is the lowest at which its plans are as good as without a pace. */
export const fuguArm: Arm = {
  name: 'fugu',
  about: 'rungs and paces by the predicted distribution of transmission times (Fugu, Puffer, NSDI 2020)',
  unpaced: 'fugu-unpaced',
  sammy: { abr: algorithm, pace: algorithm },
};

export const fuguUnpaced: Arm = {
  name: 'fugu-unpaced',
  about: 'rungs by Fugu, unpaced',
  sammy: { abr: algorithm, pacing: false },
};

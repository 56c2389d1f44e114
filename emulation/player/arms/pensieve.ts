import { pensieve } from '../../../src/abr/index.ts';
import type { Arm } from './arm.ts';
import { bitratePolicy, ssimPolicy } from './default-model.ts';

/**
 * The policies learned by reinforcement, with the package's models: without a pace, as in their training, and with
 * Sammy's pace.
 */
export const pensieveArms: readonly Arm[] = [
  {
    name: 'pensieve-bitrate',
    about: 'rungs by a rule learned by reinforcement, as Pensieve was rewarded (SIGCOMM 2017), unpaced',
    sammy: { abr: pensieve({ model: bitratePolicy }), pacing: false },
  },
  {
    name: 'pensieve-ssim',
    about: 'the same, rewarded by SSIM, unpaced',
    sammy: { abr: pensieve({ model: ssimPolicy }), pacing: false },
  },
  {
    name: 'sammy-pensieve-ssim',
    about: 'the same, rewarded by SSIM, paced as in sammy-paper, though it was trained without one',
    unpaced: 'pensieve-ssim',
    sammy: { abr: pensieve({ model: ssimPolicy }) },
  },
];

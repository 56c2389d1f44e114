import type { Arm } from './arm.ts';
import { smooth } from '../../../src/pace/smooth.ts';

export const initialOnly: Arm = {
  name: 'initial-only',
  about:
    "the paper's choice of rungs (HYB) and its memory of initial throughput, without pacing (Sammy §5.4)",
  sammy: { abr: 'hyb', pacing: false },
};

export const sammy: Arm = {
  name: 'sammy-paper',
  about:
    "Sammy with the paper's constants: HYB, pace 3.2 to 2.8 times the top bitrate (Sammy §5); the plug-in's default is sammy-careful",
  unpaced: 'initial-only',
  sammy: { abr: 'hyb', pace: 'sammy', c0: 3.2, c1: 2.8 },
};

export const sammySmooth: Arm = {
  name: 'sammy-smooth',
  about: 'the pace planned from the sizes of the coming segments (optimal smoothing), HYB',
  unpaced: 'initial-only',
  sammy: { abr: 'hyb', pace: smooth({ reserve_s: 12 }) },
};

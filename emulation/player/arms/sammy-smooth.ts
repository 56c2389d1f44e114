import { smooth } from '../../../src/pace/smooth.ts';
import type { Arm } from './arm.ts';

export const sammySmooth: Arm = {
  name: 'sammy-smooth',
  about: 'the pace planned from the sizes of the coming segments (optimal smoothing), HYB',
  unpaced: 'initial-only',
  sammy: { abr: 'hyb', pace: smooth({ reserve_s: 12 }) },
};

import type { Arm } from './arm.ts';

export const sammy: Arm = {
  name: 'sammy',
  about:
    "Sammy with the paper's constants: HYB, pace 3.2 to 2.8 times the top bitrate (Sammy §5); the plug-in's default is sammy-careful",
  unpaced: 'initial-only',
  sammy: { abr: 'hyb', c0: 3.2, c1: 2.8 },
};

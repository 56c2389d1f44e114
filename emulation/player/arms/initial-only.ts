import type { Arm } from './arm.ts';

export const initialOnly: Arm = {
  name: 'initial-only',
  about:
    "the paper's choice of rungs (HYB) and its memory of initial throughput, without pacing (Sammy §5.4)",
  sammy: { abr: 'hyb', pacing: false },
};

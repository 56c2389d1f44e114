import type { Arm } from './arm.ts';

export const initialOnly: Arm = {
  name: 'initial-only',
  about: "Sammy's choice of rungs and its memory of initial throughput, without pacing (Sammy §5.4)",
  sammy: { pacing: false },
};

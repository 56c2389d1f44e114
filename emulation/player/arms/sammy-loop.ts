import type { Arm } from './arm.ts';

export const sammyLoop: Arm = {
  name: 'sammy-loop',
  about: 'sammy-careful, and each segment says the floor down to which it may yield (--edge node-yield)',
  unpaced: 'careful-unpaced',
  sammy: { abr: 'careful' },
  loop: true,
};

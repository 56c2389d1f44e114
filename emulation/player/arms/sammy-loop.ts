import type { Arm } from './arm.ts';

export const sammyLoop: Arm = {
  name: 'sammy-loop',
  about: 'sammy-careful, and each segment says the floor down to which it may yield (--edge node-yield)',
  unpaced: 'careful-unpaced',
  sammy: { abr: 'careful' },
  loop: true,
};

const DEFAULT = { unpaced: 'careful-unpaced', sammy: { abr: 'careful' }, loop: true } as const;

/**
 * Arms in which the player, and not the edge, responds to congestion within a segment, by requests alone (the thesis
 * behind Sammy, §6.3.1).
 */
export const parted: readonly Arm[] = [
  {
    ...DEFAULT,
    name: 'sammy-again',
    about: 'sammy-careful; a segment that comes late is canceled, and the rest asked for more slowly',
    parting: 'ask-again',
  },
  {
    ...DEFAULT,
    name: 'sammy-tiny',
    about: 'sammy-careful; a segment is asked for by ten packets, each time at a pace of its own',
    parting: 'tiny-requests',
  },
];

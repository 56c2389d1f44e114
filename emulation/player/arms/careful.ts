import { considerate } from '../../../src/abr/index.ts';
import type { Arm } from './arm.ts';

export const careful: Arm = {
  name: 'sammy-careful',
  about:
    "the plug-in's default: HYB that keeps a reserve, paced as in sammy-paper, and below the network where that is slower",
  unpaced: 'careful-unpaced',
  sammy: { abr: 'careful' },
};

export const carefulUnpaced: Arm = {
  name: 'careful-unpaced',
  about: 'rungs by the default algorithm, HYB that keeps a reserve, unpaced',
  sammy: { abr: 'careful', pacing: false },
};

/**
 * The default algorithm, but with the pace of Sammy's Algorithm 1, which exceeds the throughput of a slow network.
 * Compared with `sammy-careful`, this arm shows the effect of paces below the throughput.
 */
export const carefulAlgorithm1: Arm = {
  name: 'careful-algorithm-1',
  about: 'rungs by the default algorithm, paced as in sammy-paper on slow links too',
  unpaced: 'careful-unpaced',
  sammy: { abr: 'careful', pace: 'sammy' },
};

export const sammyConsiderate: Arm = {
  name: 'sammy-considerate',
  about: 'the default, whose bitrate leaves others their part while they fill the queue',
  unpaced: 'careful-unpaced',
  sammy: { abr: considerate() },
};

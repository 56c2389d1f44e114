import { topRung } from '../../../src/film/ladder.ts';
import type { PacePolicy } from '../../../src/pace/pace.ts';
import { kbps } from '../../../src/units.ts';
import type { Arm } from './arm.ts';

const AT_EMPTY = 2.8;
const AT_FULL = 1.6;
const FULL_S = 3.2;

const linearInBuffer: PacePolicy = {
  name: 'prototype-2023',
  choosePace({ state }) {
    const fullness = Math.min(1, state.buffer / FULL_S);
    const multiplier = AT_EMPTY + (AT_FULL - AT_EMPTY) * fullness;
    const pace = kbps(multiplier * topRung(state.ladder).bitrate_kbps);
    return { pace, reason: 'linear-in-buffer', multiplier };
  },
};

/**
 * Sammy's public prototype of 2023. It has no initial phase: even the first segment is paced, so the prototype's own
 * pace limits its throughput estimate.
 */
export const prototype2023: Arm = {
  name: 'prototype-2023',
  about:
    "the public prototype's policy: pace 2.8 to 1.6 times the top bitrate, full at 3.2 s; throughput rule",
  // These settings keep dash.js's default safety factor of 0.9.
  settings: {
    streaming: { abr: { rules: { throughputRule: { active: true }, bolaRule: { active: false } } } },
  },
  sammy: { abr: 'player', pace: linearInBuffer },
};

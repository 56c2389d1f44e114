import { topRung } from '../../../src/film/ladder.ts';
import type { PacePolicy } from '../../../src/pace/pace.ts';
import { kbps } from '../../../src/units.ts';
import type { Arm } from './arm.ts';

const MULTIPLE = 4;

const naive: PacePolicy = {
  name: 'naive',
  choosePace: ({ state }) => ({
    pace: kbps(MULTIPLE * topRung(state.ladder).bitrate_kbps),
    reason: 'always-4x-top',
    multiplier: MULTIPLE,
  }),
};

/** A pace of four times the bitrate with an ABR algorithm that ignores the pace, to show the cost of such pacing. */
export const naive4x: Arm = {
  name: 'naive-4x',
  about: 'stock dash.js, every segment at four times the top bitrate, also before playback (Sammy §5.5)',
  sammy: { abr: 'player', pace: naive },
};

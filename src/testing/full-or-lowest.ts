import type { AbrAlgorithm } from '../abr/abr.ts';
import { topRung } from '../film/ladder.ts';
import { kbps } from '../units.ts';

/** A purely buffer-based algorithm: the top rung from 15 s up, and the lowest below. */
export const fullOrLowest: AbrAlgorithm = {
  name: 'full-or-lowest',
  session: () => ({
    choose: (state) => ({
      rung: state.buffer < 15 ? state.ladder[0] : topRung(state.ladder),
      reason: 'buffer',
    }),
    requiredThroughput: ({ buffer, ladder: [lowest] }, rung) =>
      kbps(buffer < 15 && rung.bitrate_kbps > lowest.bitrate_kbps ? Infinity : 0),
  }),
};

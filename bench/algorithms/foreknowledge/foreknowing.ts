import { Timeline } from '../../../emulation/player/model/player/timeline.ts';
import type { Arm } from '../../../emulation/player/arms/arm.ts';
import type { AbrAlgorithm, AbrSession } from '../../../src/abr/index.ts';
import { kbps } from '../../../src/units.ts';
import type { Film } from '../play.ts';
import { BEGINNING, bestPlan, type Standing } from './best-plan.ts';
import type { Foreknown } from './foreknown.ts';

/**
 * The maximum number of ways to keep for each segment and rung. It is small, because a new plan is made before each
 * segment.
 */
const MOST = 8;

/**
 * An unpaced arm that knows the video and the network. Before each segment, it computes the best plan from the current
 * state.
 */
export const foreknowing = (
  known: Foreknown,
  film: Film,
  starts_s: number,
): Pick<Arm, 'sammy' | 'settings'> => ({
  // dash.js must not replace planned segments by better ones.
  settings: { streaming: { buffer: { fastSwitchEnabled: false } } },
  sammy: { pacing: false, abr: planningAlgorithm(known, film, starts_s) },
});

const planningAlgorithm = (known: Foreknown, film: Film, starts_s: number): AbrAlgorithm => ({
  name: 'foreknowing',
  session: () => planningSession(known, new Timeline(film), starts_s),
});

function planningSession(known: Foreknown, timeline: Timeline, starts_s: number): AbrSession {
  let standing: Pick<Standing, 'at_s' | 'played_s'> = BEGINNING(starts_s);
  return {
    observe(event) {
      if (event.type !== 'download') return;
      const { at_ms, download_ms, buffer_s, segment_duration_s, outcome } = event.download;
      const at_s = (at_ms + download_ms) / 1000;
      standing =
        outcome === 'completed'
          ? { at_s, played_s: Math.max(at_s, at_ms / 1000 + buffer_s) + segment_duration_s }
          : { ...standing, at_s };
    },
    choose({ ladder, nextSegmentAt, previous }) {
      const segment = timeline.indexAt(nextSegmentAt);
      const last = previous && segment > 0 ? ladder.findIndex(({ id }) => id === previous.id) : undefined;
      const [rung = 0] = bestPlan(known, { ...standing, segment, previous: last }, MOST).rungs;
      return { rung: ladder[rung] ?? ladder[0], reason: 'foreknown' };
    },
    requiredThroughput: () => kbps(0),
  };
}

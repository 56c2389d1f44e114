import type { Rung } from '../film/ladder.ts';
import { seconds, transferTime, type Kbps } from '../units.ts';
import type { AbrState } from './abr.ts';
import { nextSegment } from './lookahead.ts';

/**
 * The state at the choice after the next one, if the next segment is of `rung` and arrives at `throughput`. This is the
 * first choice of a buffer-based algorithm that a slower network affects.
 */
export function nextState(state: AbrState, rung: Rung, throughput: Kbps): AbrState {
  const { size, duration } = nextSegment(state, rung);
  const played = transferTime(size, throughput) * state.playbackRate;
  return {
    ...state,
    buffer: seconds(Math.max(0, state.buffer - played) + duration),
    nextSegmentAt: seconds(state.nextSegmentAt + duration),
    previous: rung,
    throughput,
  };
}

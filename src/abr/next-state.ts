import type { Rung } from '../film/ladder.ts';
import { seconds, timeAt, type Kbps } from '../units.ts';
import type { AbrState } from './abr.ts';
import { nextSegment } from './lookahead.ts';

/**
 * The state that the question after the next one comes in, if the next segment is of `rung` and arrives at
 * `throughput`. An algorithm that goes by the buffer meets a slower network there, and not before.
 */
export function nextState(state: AbrState, rung: Rung, throughput: Kbps): AbrState {
  const { size, duration } = nextSegment(state, rung);
  const played = timeAt(size, throughput) * state.playbackRate;
  return {
    ...state,
    buffer: seconds(Math.max(0, state.buffer - played) + duration),
    nextSegmentAt: seconds(state.nextSegmentAt + duration),
    previous: rung,
    throughput,
  };
}

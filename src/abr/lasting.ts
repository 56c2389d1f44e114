import type { Rung } from '../film/ladder.ts';
import { seconds, timeAt } from '../units.ts';
import type { AbrState } from './abr.ts';
import { lookahead } from './lookahead.ts';

/**
 * On a network that carries something between two rungs, an algorithm that goes by the buffer takes the higher one as
 * soon as there is a little to spend, and gives it up as soon as that is spent. So it is asked about the end of the
 * next 30 s of content too: a switch up must be right now and then; the present rung is kept if it is right now or
 * then. Ours: of 20, 30 and 40 s, at a steady 60% of the top bitrate, the shortest with which neither BBA nor BOLA
 * switches more than once in 20 s.
 */
export const LASTING = seconds(30);

/** Meanwhile no segment may take more of what is really buffered than this. The paper's insufficient-buffer rule has it. */
export const SPARED_SHARE = 0.5;

/** What is to be buffered for a rung, s, for it to be taken when it is not the present one, and for it to stay. */
export interface Levels {
  readonly toTake: number;
  readonly toKeep: number;
}

/** Is `rung` to be taken with so much buffered, s, with the inertia from above? What is `buffered` may be partly imagined. */
export function lasts(state: AbrState, rung: Rung, buffered: number, { toTake, toKeep }: Levels): boolean {
  const present_kbps = state.previous?.bitrate_kbps ?? 0;
  if (rung.bitrate_kbps < present_kbps) return buffered >= toKeep;
  const { end, most } = spentBy(state, rung);
  const then = buffered - end >= toKeep;
  if (rung.bitrate_kbps > present_kbps) return buffered >= toTake && then;
  return buffered >= toKeep || (then && most <= SPARED_SHARE * state.buffer);
}

/** What `rung` takes out of the buffer in that time at the present throughput, s; below 0 where it fills it. */
export function spentBy(state: AbrState, rung: Rung): { readonly end: number; readonly most: number } {
  let [end, most] = [0, 0];
  for (const { size, duration } of lookahead(state, rung, LASTING)) {
    const empties = end + timeAt(size, state.throughput) * state.playbackRate;
    most = Math.max(most, empties);
    end = empties - duration;
  }
  return { end, most };
}

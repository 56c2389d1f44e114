import type { Rung } from '../film/ladder.ts';
import { seconds, transferTime } from '../units.ts';
import type { AbrState } from './abr.ts';
import { lookahead } from './lookahead.ts';

/**
 * The period over which a rung must be sustainable. On a network that sustains a rate between two rungs, a buffer-based
 * algorithm would switch up as soon as there is some buffer to spend, and down as soon as it is spent. Therefore, a
 * switch up needs a sufficient buffer level both now and at the end of the next 30 s of content, and the present rung
 * is kept if the buffer level suffices at either time. Of 20, 30 and 40 s, 30 s is the shortest period with which
 * neither BBA nor BOLA switches more than once in 20 s at a steady 60% of the top bitrate.
 */
export const SUSTAINED_PERIOD = seconds(30);

/**
 * The largest share of the actual buffer level that a segment's download may take during `SUSTAINED_PERIOD`, as in
 * BOLA's insufficient-buffer rule.
 */
export const MAX_SEGMENT_SHARE = 0.5;

/** Buffer levels for a rung, s: the level for switching to the rung, and the level for keeping the rung. */
export interface BufferLevels {
  readonly toSwitch: number;
  readonly toKeep: number;
}

/**
 * Whether to take `rung` at a buffer level, s, with the hysteresis of `SUSTAINED_PERIOD`. `buffered` may include a
 * placeholder.
 */
export function isSustainable(
  state: AbrState,
  rung: Rung,
  buffered: number,
  { toSwitch, toKeep }: BufferLevels,
): boolean {
  const present_kbps = state.previous?.bitrate_kbps ?? 0;
  if (rung.bitrate_kbps < present_kbps) return buffered >= toKeep;
  const { end, most } = bufferDrain(state, rung);
  const then = buffered - end >= toKeep;
  if (rung.bitrate_kbps > present_kbps) return buffered >= toSwitch && then;
  return buffered >= toKeep || (then && most <= MAX_SEGMENT_SHARE * state.buffer);
}

/**
 * The decrease of the buffer level, s, over `SUSTAINED_PERIOD` if `rung` is downloaded at the present throughput: at
 * the end, and at its largest. A negative decrease at the end means that the buffer grows.
 */
export function bufferDrain(state: AbrState, rung: Rung): { readonly end: number; readonly most: number } {
  let [end, most] = [0, 0];
  for (const { size, duration } of lookahead(state, rung, SUSTAINED_PERIOD)) {
    const empties = end + transferTime(size, state.throughput) * state.playbackRate;
    most = Math.max(most, empties);
    end = empties - duration;
  }
  return { end, most };
}

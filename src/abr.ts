import type { Ladder, Rung } from './ladder.ts';
import { nominalSegments, type Segment, type SegmentSizes } from './segments.ts';
import { seconds, type Kbps, type Seconds } from './units.ts';

/** What an algorithm may know when it decides about the next segment of one media type. */
export interface AbrState {
  readonly ladder: Ladder;
  /** Content that is buffered, s. */
  readonly buffer: Seconds;
  /** Content seconds played per second. */
  readonly playbackRate: number;
  /** Presentation time at which the next segment begins. */
  readonly nextSegmentAt: Seconds;
  /** How far ahead of the playhead that is. Less than `buffer` where a player replaces what it has; else the same. */
  readonly position?: Seconds | undefined;
  /**
   * A player that replaces what it has by something better begins so far ahead of the playhead, or behind it, where a
   * rung above this bitrate is chosen (dash.js's fast switch). Nothing is won by that until the end of the buffer.
   */
  readonly replaces?: { readonly above: Kbps; readonly from: Seconds } | undefined;
  readonly sizes?: SegmentSizes | undefined;
}

export interface AbrChoice {
  readonly rung: Rung;
  readonly reason: string;
}

/**
 * A pacing-aware ABR algorithm (Sammy §4.2): beside choosing, it tells what it needs in order to choose.
 * The second question is the decision problem that gives pacing its room.
 */
export interface AbrAlgorithm {
  readonly name: string;
  /** The rung for the next segment, when the network is thought to carry `throughput`. */
  choose(state: AbrState, throughput: Kbps): AbrChoice;
  /** The least throughput at which `choose` picks `rung` or a higher one (Sammy Eq. 1 for HYB). */
  requiredThroughput(state: AbrState, rung: Rung): Kbps;
}

/** Where a download of `rung` begins, s of content ahead of the playhead. */
export const beginOf = ({ buffer, position = buffer, replaces }: AbrState, rung: Rung): Seconds =>
  replaces && rung.bitrate_kbps > replaces.above ? replaces.from : position;

/** The coming segments of `rung` over `horizon`: their real sizes where known, else the nominal bitrate's. */
export function lookahead(state: AbrState, rung: Rung, horizon: Seconds): readonly Segment[] {
  const from = state.nextSegmentAt - (state.position ?? state.buffer) + beginOf(state, rung);
  return state.sizes?.upcoming(rung.id, seconds(from), horizon) ?? nominalSegments(rung, horizon);
}

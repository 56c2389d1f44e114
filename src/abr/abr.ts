import type { Ladder, Rung } from '../film/ladder.ts';
import { nominalSegments, type Segment, type SegmentSizes } from '../film/segments.ts';
import { seconds, type Kbps, type Seconds } from '../units.ts';

/** What an algorithm may know when it decides about the next segment of one media type. */
export interface AbrState {
  readonly ladder: Ladder;
  /** Content that is buffered, s. */
  readonly buffer: Seconds;
  /** Content seconds played per second. */
  readonly playbackRate: number;
  /** Presentation time at which the next segment begins. */
  readonly nextSegmentAt: Seconds;
  readonly sizes?: SegmentSizes | undefined;
  /** How long segments play, as the last one did; undefined before the first. */
  readonly segmentDuration?: Seconds | undefined;
  /** The rung of the segment that was requested last; undefined before the first. */
  readonly current?: Rung | undefined;
  /** Low-latency live: a segment plays while it arrives, a chunk at a time. */
  readonly inChunks?: boolean;
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

/** The coming segments of `rung` over `horizon`: their real sizes where known, else the nominal bitrate's. */
export const lookahead = (state: AbrState, rung: Rung, horizon: Seconds): readonly Segment[] =>
  state.sizes?.upcoming(rung.id, state.nextSegmentAt, horizon) ??
  nominalSegments(rung, horizon, state.segmentDuration);

/** The first of them: the one that is asked for next. */
export function nextSegment(state: AbrState, rung: Rung): Segment {
  // A horizon of next to nothing finds just one.
  const [segment] = lookahead(state, rung, seconds(1e-3));
  if (!segment) throw new Error('no coming segment');
  return segment;
}

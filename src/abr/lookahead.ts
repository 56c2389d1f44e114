import type { Rung } from '../film/ladder.ts';
import { nominalSegment, nominalSegments, segmentAt, type Segment } from '../film/segments.ts';
import { averageRate, type Kbps, type Seconds } from '../units.ts';
import type { AbrState } from './abr.ts';

/** The part of the state that describes the upcoming segments. */
export type UpcomingState = Pick<AbrState, 'sizes' | 'nextSegmentAt' | 'segmentDuration'>;

/**
 * The upcoming segments of `rung` over `horizon`, with their actual sizes if known, or sizes derived from the nominal
 * bitrate.
 */
export const lookahead = (state: UpcomingState, rung: Rung, horizon: Seconds): readonly Segment[] =>
  state.sizes?.upcoming(rung.id, state.nextSegmentAt, horizon) ??
  nominalSegments(rung, horizon, state.segmentDuration);

/** The segment of `rung` that is requested next. */
export const nextSegment = ({ sizes, nextSegmentAt, segmentDuration }: UpcomingState, rung: Rung): Segment =>
  segmentAt(sizes, rung.id, nextSegmentAt) ?? nominalSegment(rung, segmentDuration);

/** The bitrate of the segment of `rung` that is requested next. */
export function nextBitrate(state: UpcomingState, rung: Rung): Kbps {
  const { size, duration } = nextSegment(state, rung);
  return averageRate(size, duration);
}

import type { Rung } from '../film/ladder.ts';
import { nominalSegment, nominalSegments, segmentAt, type Segment } from '../film/segments.ts';
import { rateOf, type Kbps, type Seconds } from '../units.ts';
import type { AbrState } from './abr.ts';

/** What tells of the coming segments. */
export type Coming = Pick<AbrState, 'sizes' | 'nextSegmentAt' | 'segmentDuration'>;

/** The coming segments of `rung` over `horizon`: their real sizes where known, else the nominal bitrate's. */
export const lookahead = (state: Coming, rung: Rung, horizon: Seconds): readonly Segment[] =>
  state.sizes?.upcoming(rung.id, state.nextSegmentAt, horizon) ??
  nominalSegments(rung, horizon, state.segmentDuration);

/** The first of them: the one that is asked for next. */
export const nextSegment = ({ sizes, nextSegmentAt, segmentDuration }: Coming, rung: Rung): Segment =>
  segmentAt(sizes, rung.id, nextSegmentAt) ?? nominalSegment(rung, segmentDuration);

/** Its bitrate. */
export function nextBitrate(state: Coming, rung: Rung): Kbps {
  const { size, duration } = nextSegment(state, rung);
  return rateOf(size, duration);
}

import type { Rung } from '../film/ladder.ts';
import { nominalSegments, type Segment } from '../film/segments.ts';
import { rateOf, seconds, type Kbps, type Seconds } from '../units.ts';
import type { AbrState } from './abr.ts';

/** What tells of the coming segments. */
export type Coming = Pick<AbrState, 'sizes' | 'nextSegmentAt' | 'segmentDuration'>;

/** The coming segments of `rung` over `horizon`: their real sizes where known, else the nominal bitrate's. */
export const lookahead = (state: Coming, rung: Rung, horizon: Seconds): readonly Segment[] =>
  state.sizes?.upcoming(rung.id, state.nextSegmentAt, horizon) ??
  nominalSegments(rung, horizon, state.segmentDuration);

/** The first of them: the one that is asked for next. */
export function nextSegment(state: Coming, rung: Rung): Segment {
  // A horizon of next to nothing finds just one.
  const [segment] = lookahead(state, rung, seconds(1e-3));
  if (!segment) throw new Error('no coming segment');
  return segment;
}

/** Its bitrate. */
export function nextBitrate(state: Coming, rung: Rung): Kbps {
  const { size, duration } = nextSegment(state, rung);
  return rateOf(size, duration);
}

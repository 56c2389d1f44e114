import type { Rung } from './ladder.ts';
import { bytes, bytesAt, rateOf, seconds, type Bytes, type Kbps, type Seconds } from '../units.ts';

/** One coming segment, as far as it is known. */
export interface Segment {
  readonly size: Bytes;
  readonly duration: Seconds;
}

/**
 * Knows the real sizes of a representation's segments, from the manifest's index or from a sidecar.
 * Undefined when it knows nothing about the representation at that time.
 */
export interface SegmentSizes {
  /** The segments of `rungId` that begin at `from` (presentation time) or later, until `horizon` is covered. */
  upcoming(rungId: string, from: Seconds, horizon: Seconds): readonly Segment[] | undefined;
}

/** A segment boundary is met within this fraction of a segment, since buffer levels are not exact. */
const BOUNDARY_TOLERANCE = 0.5;

/** A segment with its place in the presentation. */
export interface TimedSegment extends Segment {
  readonly start: Seconds;
}

/** The first of `segments` that begins at `from`, within the tolerance, or later. A film may have thousands. */
function firstFrom(segments: readonly TimedSegment[], from: Seconds): number {
  let [low, high] = [0, segments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const segment = segments[middle];
    if (segment && segment.start < from - segment.duration * BOUNDARY_TOLERANCE) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Sizes from lists of segments in the order of time; `of` finds a rung's list. What lies beyond a gap is unknown. */
export const sizesFrom = (of: (rungId: string) => readonly TimedSegment[] | undefined): SegmentSizes => ({
  upcoming(rungId, from, horizon) {
    const segments = of(rungId) ?? [];
    const found: Segment[] = [];
    let covered = 0;
    let next: number = from;
    for (let index = firstFrom(segments, from); covered < horizon || found.length === 0; index++) {
      const segment = segments[index];
      if (!segment || !(segment.start <= next + segment.duration * BOUNDARY_TOLERANCE)) break;
      found.push(segment);
      covered += segment.duration;
      next = segment.start + segment.duration;
    }
    return found.length > 0 ? found : undefined;
  },
});

/** Sizes from parallel lists of durations and sizes; the first segment begins at 0. */
export function sizesFromLists(
  durations: readonly Seconds[],
  sizes: ReadonlyMap<string, readonly Bytes[]>,
): SegmentSizes {
  const timed = new Map(
    [...sizes].map(([rungId, ofRung]) => {
      let end = 0;
      const segments = durations.flatMap((duration, index): TimedSegment[] => {
        const start = seconds(end);
        end += duration;
        const size = ofRung[index];
        return size === undefined ? [] : [{ start, duration, size }];
      });
      return [rungId, segments] as const;
    }),
  );
  return sizesFrom((rungId) => timed.get(rungId));
}

/** How long segments are where nothing says so. */
const USUAL_DURATION = seconds(2);

/** What the nominal bitrate says about segments of unknown size, until `horizon` is covered. */
export const nominalSegments = (
  rung: Rung,
  horizon: Seconds,
  duration: Seconds = USUAL_DURATION,
): readonly Segment[] =>
  Array.from({ length: Math.ceil(horizon / duration) }, () => ({
    size: bytesAt(rung.bitrate_kbps, duration),
    duration,
  }));

export const totalSize = (segments: readonly Segment[]): Bytes =>
  bytes(segments.reduce((sum, { size }) => sum + size, 0));

export const totalDuration = (segments: readonly Segment[]): Seconds =>
  seconds(segments.reduce((sum, { duration }) => sum + duration, 0));

/** The average bitrate of some segments (Sammy Eq. 8). */
export const bitrateOf = (segments: readonly Segment[]): Kbps =>
  rateOf(totalSize(segments), totalDuration(segments));

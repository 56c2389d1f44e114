import type { Rung } from './ladder.ts';
import { bytes, bytesAt, rateOf, seconds, type Bytes, type Kbps, type Seconds } from './units.ts';

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

/** Segment sizes from parallel lists of durations and sizes, per rung. */
export function sizesFromLists(
  durations: readonly Seconds[],
  sizes: ReadonlyMap<string, readonly Bytes[]>,
): SegmentSizes {
  return {
    upcoming(rungId, from, horizon) {
      const ofRung = sizes.get(rungId);
      if (!ofRung) return undefined;
      const found: Segment[] = [];
      let start = 0;
      let covered = 0;
      for (const [index, duration] of durations.entries()) {
        const size = ofRung[index];
        if (start >= from - duration * BOUNDARY_TOLERANCE && size !== undefined) {
          found.push({ size, duration });
          covered += duration;
          if (covered >= horizon) break;
        }
        start += duration;
      }
      return found.length > 0 ? found : undefined;
    },
  };
}

/** What the nominal bitrate says about segments of unknown size: one stretch as long as the horizon. */
export const nominalSegments = (rung: Rung, horizon: Seconds): readonly Segment[] => [
  { size: bytesAt(rung.bitrate_kbps, horizon), duration: horizon },
];

export const totalSize = (segments: readonly Segment[]): Bytes =>
  bytes(segments.reduce((sum, { size }) => sum + size, 0));

export const totalDuration = (segments: readonly Segment[]): Seconds =>
  seconds(segments.reduce((sum, { duration }) => sum + duration, 0));

/** The average bitrate of some segments (Sammy Eq. 8). */
export const bitrateOf = (segments: readonly Segment[]): Kbps =>
  rateOf(totalSize(segments), totalDuration(segments));

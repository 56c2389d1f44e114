import type { Rung } from './ladder.ts';
import { bytes, transferSize, averageRate, seconds, type Bytes, type Kbps, type Seconds } from '../units.ts';

/** A segment of known size. */
export interface Segment {
  readonly size: Bytes;
  readonly duration: Seconds;
  /** SSIM in dB, -10 log10(1 - SSIM), if known. */
  readonly ssim_db?: number | undefined;
}

/** The actual sizes of segments, from the manifest's index or from a sidecar. */
export interface SegmentSizes {
  /**
   * Returns the segments of `rungId` that begin at `from` (presentation time) or later, until they cover `horizon`;
   * undefined if none is known.
   */
  upcoming(rungId: string, from: Seconds, horizon: Seconds): readonly Segment[] | undefined;
}

/**
 * A time matches a segment if it differs from the segment's start by at most this fraction of the segment's duration.
 * Times that are derived from buffer levels are inexact.
 */
const BOUNDARY_TOLERANCE = 0.5;

/** A segment with its start (presentation time). */
export interface TimedSegment extends Segment {
  readonly start: Seconds;
}

/** Returns the index of the first segment that begins at `from` (within the tolerance) or later. Uses binary search. */
function findFirstFrom(segments: readonly TimedSegment[], from: Seconds): number {
  let [low, high] = [0, segments.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    const segment = segments[middle];
    if (segment && segment.start < from - segment.duration * BOUNDARY_TOLERANCE) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * Creates sizes from lists of segments sorted by time; `of` returns the list of a rung. `upcoming` stops at a gap in
 * the list.
 */
export const createSizes = (of: (rungId: string) => readonly TimedSegment[] | undefined): SegmentSizes => ({
  upcoming(rungId, from, horizon) {
    const segments = of(rungId) ?? [];
    const found: Segment[] = [];
    let covered = 0;
    let next: number = from;
    for (let index = findFirstFrom(segments, from); covered < horizon || found.length === 0; index++) {
      const segment = segments[index];
      if (!segment || !(segment.start <= next + segment.duration * BOUNDARY_TOLERANCE)) break;
      found.push(segment);
      covered += segment.duration;
      next = segment.start + segment.duration;
    }
    return found.length > 0 ? found : undefined;
  },
});

/** The segment of `rungId` that begins at `time`, within the tolerance; undefined if unknown. */
export const segmentAt = (
  sizes: SegmentSizes | undefined,
  rungId: string,
  time: Seconds,
): Segment | undefined =>
  // The shortest horizon returns a single segment.
  sizes?.upcoming(rungId, time, seconds(1e-3))?.[0];

/** Default segment duration, for a stream whose durations are unknown. */
const USUAL_DURATION = seconds(2);

/** A segment with the size that the nominal bitrate implies. Used for a rung without known sizes. */
export const nominalSegment = (rung: Rung, duration: Seconds = USUAL_DURATION): Segment => ({
  size: transferSize(rung.bitrate_kbps, duration),
  duration,
});

/** Nominal segments of the rung that cover `horizon`. */
export const nominalSegments = (
  rung: Rung,
  horizon: Seconds,
  duration: Seconds = USUAL_DURATION,
): readonly Segment[] => Array<Segment>(Math.ceil(horizon / duration)).fill(nominalSegment(rung, duration));

export const totalSize = (segments: readonly Segment[]): Bytes =>
  bytes(segments.reduce((sum, { size }) => sum + size, 0));

export const totalDuration = (segments: readonly Segment[]): Seconds =>
  seconds(segments.reduce((sum, { duration }) => sum + duration, 0));

/** Average bitrate of the segments (Sammy Eq. 8). */
export const meanBitrate = (segments: readonly Segment[]): Kbps =>
  averageRate(totalSize(segments), totalDuration(segments));

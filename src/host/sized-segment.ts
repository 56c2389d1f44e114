import type { TimedSegment } from '../film/segments.ts';
import { bytes, seconds } from '../units.ts';

/** Returns a segment of a manifest, or an empty list if its duration (s) or size (bytes) is unknown. */
export const sizedSegment = (start: number, duration: number, size: number): readonly TimedSegment[] =>
  duration > 0 && size > 0 ? [{ start: seconds(start), duration: seconds(duration), size: bytes(size) }] : [];

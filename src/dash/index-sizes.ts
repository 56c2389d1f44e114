import { createSizes, type SegmentSizes, type TimedSegment } from '../film/segments.ts';
import { bytes, seconds } from '../units.ts';

/** A segment as dash.js describes it after reading a representation's segment index (`sidx`). */
export interface IndexedSegment {
  readonly presentationStartTime: number;
  readonly duration: number;
  /** `FIRST-LAST`: positions of the first and the last byte in the file. */
  readonly mediaRange?: string | null;
}

/**
 * Segment sizes from manifests with byte ranges. dash.js 5 reads a representation's index before its first segment, so
 * the sizes of a rung are known after the rung has been chosen once.
 */
export class IndexSizes {
  readonly #segments = new Map<string, readonly TimedSegment[]>();
  readonly #read = new WeakSet();

  readonly sizes: SegmentSizes = createSizes((rungId) => this.#segments.get(rungId));

  learn(rungId: string, index: readonly IndexedSegment[] | null | undefined): void {
    if (!index || this.#read.has(index)) return;
    this.#read.add(index);
    const learnt = index.flatMap(({ presentationStartTime, duration, mediaRange }): TimedSegment[] => {
      // For an invalid range, the size is NaN or below 1.
      const [first, last] = (mediaRange ?? '').split('-');
      const size = Number.parseInt(last ?? '', 10) - Number(first) + 1;
      if (!(size > 0) || !(duration > 0)) return [];
      return [{ start: seconds(presentationStartTime), duration: seconds(duration), size: bytes(size) }];
    });
    // Periods may share representation ids, so segments are merged by start time.
    const known = new Map(
      [...(this.#segments.get(rungId) ?? []), ...learnt].map((segment) => [segment.start, segment]),
    );
    this.#segments.set(
      rungId,
      [...known.values()].sort((a, b) => a.start - b.start),
    );
  }
}

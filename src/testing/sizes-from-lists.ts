import type { SegmentSizes } from '../film/segments.ts';
import { sizesFromSidecar } from '../film/sidecar.ts';
import type { Bytes, Seconds } from '../units.ts';

/** Sizes from parallel lists of durations, sizes and, if given, SSIM (dB). The first segment begins at 0. */
export const sizesFromLists = (
  durations: readonly Seconds[],
  sizes: ReadonlyMap<string, readonly Bytes[]>,
  ssims_db?: (rungId: string) => readonly number[] | undefined,
): SegmentSizes =>
  sizesFromSidecar({
    version: 1,
    segment_duration_s: durations,
    representations: Object.fromEntries(
      [...sizes].map(([id, segment_bytes]) => [id, { segment_bytes, segment_ssim_db: ssims_db?.(id) }]),
    ),
  });

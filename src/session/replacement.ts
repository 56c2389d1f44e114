import type { AbrState } from '../abr/abr.ts';
import { topRung, type Rung } from '../film/ladder.ts';

/** The number of latest downloads that must have been fast enough. The estimate alone rises too slowly after a slow minute. */
const DOWNLOADS = 3;

/**
 * The buffer does not grow while buffered segments are replaced; at this ratio, downloading them takes two thirds of their
 * duration. On broadband traces, 1.75 replaces too rarely, and 1.5 causes no additional stalls.
 */
const FASTER_THAN_PLAYED = 1.5;

/**
 * Whether to download buffered segments again after a switch up and replace them, as dash.js can do (its fast switch).
 * Replacement is worthwhile if the network sustains the better rung with capacity to spare, and only by the top rung, as
 * another one would be replaced again. A pace-limited download counts with its measured throughput; one with unknown
 * throughput was too fast to measure.
 */
export const isReplacementWorthwhile = (
  { ladder, downloads }: Pick<AbrState, 'ladder' | 'downloads'>,
  rung: Rung,
): boolean =>
  rung.id === topRung(ladder).id &&
  downloads.length > 0 &&
  downloads
    .slice(-DOWNLOADS)
    .every(
      ({ achieved_kbps }) => (achieved_kbps ?? Infinity) >= FASTER_THAN_PLAYED * topRung(ladder).bitrate_kbps,
    );

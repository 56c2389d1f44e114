import type { AbrState } from '../abr/abr.ts';
import { topRung, type Rung } from '../film/ladder.ts';

/**
 * The number of latest downloads that must be fast enough. The throughput estimate alone rises too slowly after a slow
 * minute.
 */
const DOWNLOADS = 3;

/**
 * The required ratio of throughput to bitrate. The buffer does not grow while buffered segments are replaced; at this
 * ratio, their downloads take two thirds of their duration. On broadband traces, replacement is too rare with 1.75, and
 * 1.5 causes no additional stalls.
 */
const FASTER_THAN_PLAYED = 1.5;

/**
 * Whether to download buffered segments again after a switch up and replace them (dash.js's fast switch). Replacement
 * is worthwhile if the new rung is the top rung and the network sustains it with capacity to spare. Segments of any
 * other rung might be replaced a second time. A pace-limited download counts with its measured throughput. A download
 * with unknown throughput counts as fast, because it was too fast to measure.
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

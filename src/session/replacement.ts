import type { AbrState } from '../abr/abr.ts';
import { topOf, type Rung } from '../film/ladder.ts';

/** The number of latest downloads that must have been fast enough. An estimate rises slowly after a slow minute. */
const DOWNLOADS = 3;

/**
 * While what is buffered is replaced the buffer does not grow: this way a third of it is left. Ours: on broadband traces
 * 1.75 replaces too seldom, and 1.5 stalls no more.
 */
const FASTER_THAN_PLAYED = 1.5;

/**
 * On a switch up dash.js can download again, and replace, what it has buffered (its fast switch). That pays where the
 * network carries the better rung with room to spare, and by the top rung: another would be replaced again. A download
 * that the pace limited shows what it had, and one of unknown throughput was faster than can be told.
 */
export const replacementPays = (
  { ladder, downloads }: Pick<AbrState, 'ladder' | 'downloads'>,
  rung: Rung,
): boolean =>
  rung.id === topOf(ladder).id &&
  downloads.length > 0 &&
  downloads
    .slice(-DOWNLOADS)
    .every(
      ({ achieved_kbps }) => (achieved_kbps ?? Infinity) >= FASTER_THAN_PLAYED * topOf(ladder).bitrate_kbps,
    );

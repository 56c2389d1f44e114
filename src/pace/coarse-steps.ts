import { kbps, type Kbps } from '../units.ts';

/**
 * Reduces the number of different paces. If a cache includes the query in its key, each `rtp` value creates another copy of
 * the segment, so sessions should use the same few values.
 */

/** The ratio of neighboring steps. */
const RATIO = 1.75;

/**
 * Returns the step nearest to `pace`, or the next step if the nearest one is below `least`. The steps are `anchor`
 * times the powers of 1.75. The anchor must be a property of the segment, not of the session.
 *
 * Rounds to the nearest step, because always rounding up would fill the buffer early, and the idle time that follows
 * increases the chunk throughput. The plan is recomputed for each segment, which corrects the rounding error.
 */
export function nearestStep(pace: Kbps, anchor: Kbps, least: Kbps): Kbps {
  if (!(anchor > 0 && Number.isFinite(anchor) && Number.isFinite(pace))) return pace;
  const nearest = anchor * RATIO ** Math.round(Math.log(pace / anchor) / Math.log(RATIO));
  // If the nearest step is below `least`, the next step is not, because `least` is at most the pace.
  return kbps(nearest < least ? nearest * RATIO : nearest);
}

/** Rounds the fill level of the buffer, 0 to 1, to 0, 0.5 or 1. */
export const nearestFill = (fullness: number): number => Math.round(2 * fullness) / 2;

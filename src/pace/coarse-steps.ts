import { kbps, type Kbps } from '../units.ts';

/**
 * Few paces instead of many. Where a cache keeps the query in its key, each `rtp` is another copy of the segment: many
 * sessions are to ask for the same few.
 */

/** From one step to the next. */
const RATIO = 1.75;

/**
 * The step nearest to a pace, among `anchor` times the powers of 1.75, and not below `least`. The anchor must be a
 * property of the segment, not of the session.
 *
 * It rounds up and down, since a plan that is made anew for each segment makes good for both, while one that is always
 * rounded up fills the buffer and idles, and its chunk throughput grows by what it idles.
 */
export function nearestStep(pace: Kbps, anchor: Kbps, least: Kbps): Kbps {
  if (!(anchor > 0 && Number.isFinite(anchor) && Number.isFinite(pace))) return pace;
  const nearest = anchor * RATIO ** Math.round(Math.log(pace / anchor) / Math.log(RATIO));
  // What was not below `least` is by half a step at most above the nearest.
  return kbps(nearest < least ? nearest * RATIO : nearest);
}

/** Rounds the fill level of the buffer, 0 to 1, to 0, 0.5 or 1. */
export const nearestFill = (fullness: number): number => Math.round(2 * fullness) / 2;

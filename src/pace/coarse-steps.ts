import { kbps, type Kbps } from '../units.ts';

/**
 * Reduces the number of different paces. If a cache includes the query in its key, each `rtp` value creates another copy of
 * the segment, so sessions should use the same few values.
 */

/** The ratio of neighboring steps. */
const RATIO = 1.75;

/**
 * The step nearest to a pace, among `anchor` times the powers of 1.75, and not below `least`. The anchor must be a property
 * of the segment, not of the session.
 *
 * Rounds to the nearest step rather than up: a plan that is recomputed for each segment compensates for both, whereas always
 * rounding up fills the buffer early, and the idle time that follows increases the chunk throughput.
 */
export function nearestStep(pace: Kbps, anchor: Kbps, least: Kbps): Kbps {
  if (!(anchor > 0 && Number.isFinite(anchor) && Number.isFinite(pace))) return pace;
  const nearest = anchor * RATIO ** Math.round(Math.log(pace / anchor) / Math.log(RATIO));
  // A pace that was not below `least` is at most half a step above the nearest step.
  return kbps(nearest < least ? nearest * RATIO : nearest);
}

/** Rounds the fill level of the buffer, 0 to 1, to 0, 0.5 or 1. */
export const nearestFill = (fullness: number): number => Math.round(2 * fullness) / 2;

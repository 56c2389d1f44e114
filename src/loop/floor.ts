import type { Decision } from '../decision.ts';
import { GOODPUT_OF_PACE } from '../pace/pace.ts';
import { kbps, type Kbps, type Seconds } from '../units.ts';

/**
 * The growth of an empty buffer, seconds of content per second. Growth decreases as the buffer level approaches the
 * reserve. `smooth` uses the same value.
 */
const GROWTH = 2;

/** The fields of a decision that determine its floor. */
export type FloorInput = Pick<
  Decision,
  'bitrate_kbps' | 'bound_kbps' | 'buffer_s' | 'playback_rate' | 'segment_duration_s'
> & { readonly requested_kbps: number };

/**
 * Returns the lowest rate that the viewer needs for a segment, at most its pace. This is the highest of three rates:
 * the segment's bitrate, or more while the buffer level is below the reserve; the throughput that the ABR algorithm
 * needs for the top rung (Sammy Eq. 1); and the rate at which the segment arrives before the buffer is empty. If no
 * throughput makes the algorithm pick the top rung, the buffer has to grow, so the floor is the pace.
 */
export function paceFloor(decision: FloorInput, reserve: Seconds): Kbps {
  const { bitrate_kbps, bound_kbps, buffer_s, playback_rate, segment_duration_s, requested_kbps } = decision;
  if (bound_kbps === null) return kbps(requested_kbps);
  const missing = Math.max(0, 1 - buffer_s / reserve);
  const plays = bitrate_kbps * Math.max(1, playback_rate) * (1 + GROWTH * missing);
  const inTime = buffer_s > 0 ? (bitrate_kbps * segment_duration_s * playback_rate) / buffer_s : Infinity;
  const needed = Math.max(plays, bound_kbps, inTime) / GOODPUT_OF_PACE;
  return kbps(Math.min(requested_kbps, needed));
}

import { nextBitrate } from '../abr/lookahead.ts';
import { nearestFill } from './coarse-steps.ts';
import type { PaceReason } from '../decision.ts';
import { topRung } from '../film/ladder.ts';
import { GOODPUT_OF_PACE, type PacePolicy } from './pace.ts';
import { kbps, seconds, type Kbps } from '../units.ts';

/**
 * If the next segment must arrive faster than this multiple of the top bitrate (Sammy's own c0, §5), or faster than the
 * option c0 if that is larger, a stall is imminent, and the pace is null. An empty buffer does not raise the pace,
 * because the stall is handled by the recovery phase.
 */
const MOST_URGENT = 3.2;

export interface Algorithm1Options {
  /** The pace at an empty buffer, as a multiple of the top bitrate. */
  readonly c0: number;
  /** The pace at a full buffer, as a multiple of the top bitrate. */
  readonly c1: number;
}

/**
 * Algorithm 1 of the Sammy paper. The buffer level is rounded to empty, half full or full, and the pace is never below
 * the lower bound of the paper's Eq. 1. A pace that equals this bound would drain the buffer to one segment.
 */
export const algorithm1 = ({ c0, c1 }: Algorithm1Options): PacePolicy => ({
  name: 'algorithm-1',
  choosePace({ phase, state, rung, duration = seconds(0), maxBuffer, abr }) {
    if (phase !== 'playing') return { pace: null, reason: phase };

    const top = topRung(state.ladder);
    const fullness = nearestFill(maxBuffer > 0 ? Math.min(1, state.buffer / maxBuffer) : 0);
    // Faster playback needs a proportionally higher pace; slower playback can fill the buffer.
    const speed = Math.max(1, state.playbackRate);
    const bound = abr.requiredThroughput(state, top);
    // If no throughput makes the algorithm pick the top rung, the buffer has to grow, so the larger multiple is used.
    const multiplier = bound === Infinity ? Math.max(c0, c1) : c1 * fullness + c0 * (1 - fullness);
    const segment = kbps(nextBitrate(state, rung) * speed);
    const inTime = state.buffer > 0 ? (segment * duration) / (GOODPUT_OF_PACE * state.buffer) : 0;
    // The algorithm measures the goodput of a paced download, so the goodput must reach the bound.
    const eq1 = bound === Infinity ? 0 : bound / GOODPUT_OF_PACE;
    if (Math.max(eq1, inTime) > Math.max(MOST_URGENT, c0) * top.bitrate_kbps * speed) {
      return { pace: null, reason: 'urgent', multiplier, bound };
    }

    const candidates: [Kbps, PaceReason][] = [
      [kbps(multiplier * top.bitrate_kbps * speed), 'algorithm-1'],
      [kbps(eq1), 'raised-to-eq-1'],
      [kbps(inTime), 'raised-to-arrive-in-time'],
      [segment, 'raised-to-segment-bitrate'],
    ];
    const [pace, reason] = candidates.reduce((highest, next) => (next[0] > highest[0] ? next : highest));
    return { pace, reason, multiplier, bound };
  },
});

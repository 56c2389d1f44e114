import type { AbrState } from '../abr/abr.ts';
import { nextBitrate } from '../abr/lookahead.ts';
import type { Rung } from '../film/ladder.ts';
import { GOODPUT_OF_PACE, type PaceDecision } from './pace.ts';
import { kbps, seconds } from '../units.ts';

/** The share of the player's request timeout that a paced segment may take: the rest is for the network's own delays. Ours. */
const SHARE_OF_TIMEOUT = 0.4;

/**
 * The pace, raised where the segment would come near to the player's timeout, which throws away what has arrived: long
 * segments at slow playback do.
 */
export function beforeTimeout(
  decision: PaceDecision,
  state: AbrState,
  rung: Rung,
  duration = seconds(0),
  timeout = seconds(Infinity),
): PaceDecision {
  if (decision.pace === null) return decision;
  const size_kbit = nextBitrate(state, rung) * duration;
  const needed = kbps(size_kbit / (SHARE_OF_TIMEOUT * timeout * GOODPUT_OF_PACE));
  return needed > decision.pace ? { ...decision, pace: needed, reason: 'raised-before-timeout' } : decision;
}

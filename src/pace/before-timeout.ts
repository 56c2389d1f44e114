import { nextBitrate } from '../abr/lookahead.ts';
import { GOODPUT_OF_PACE, type PaceDecision, type PaceInput } from './pace.ts';
import { kbps, seconds } from '../units.ts';

/** The share of the player's request timeout that a paced segment may take. The remainder allows for delays of the network. */
const SHARE_OF_TIMEOUT = 0.4;

/**
 * Raises the pace of a segment whose download would come close to the player's request timeout, after which the
 * received bytes are discarded. This affects long segments at slow playback.
 */
export function beforeTimeout(
  decision: PaceDecision,
  { state, rung, duration = seconds(0) }: Pick<PaceInput, 'state' | 'rung' | 'duration'>,
  timeout = seconds(Infinity),
): PaceDecision {
  const size_kbit = nextBitrate(state, rung) * duration;
  const needed = kbps(size_kbit / (SHARE_OF_TIMEOUT * timeout * GOODPUT_OF_PACE));
  return needed > (decision.pace ?? Infinity)
    ? { ...decision, pace: needed, reason: 'raised-before-timeout' }
    : decision;
}

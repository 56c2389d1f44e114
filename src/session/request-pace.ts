import type { Phase } from '../decision.ts';
import { beforeTimeout } from '../pace/before-timeout.ts';
import { asRtp, type PaceDecision, type PaceInput } from '../pace/pace.ts';
import { kbps, type Seconds } from '../units.ts';
import type { Setup } from './setup.ts';

/** Matches `blob:`, `data:` and other schemes for which no server paces. Does not match a relative URL. */
export const NON_HTTP_SCHEME = /^(?!https?:)[a-z][\w+.-]*:/i;

/** Preloaded segments are paced as in the playing phase. */
export const pacingPhase = (phase: Phase): PaceInput['phase'] => (phase === 'preload' ? 'playing' : phase);

/**
 * Returns the pace that the policy chooses, adjusted for the wait before the request is sent, the player's timeout, and
 * the valid values of `rtp`. `deadlineShare` is the share of the segment's duration in which the segment has to arrive.
 */
export function requestedPace(
  { policy, options }: Pick<Setup, 'policy' | 'options'>,
  input: PaceInput,
  deadlineShare: number,
  timeout: Seconds | undefined,
): PaceDecision {
  const choice = policy.choosePace(input);
  const { pace } = choice;
  const afterWait = { ...choice, pace: pace && kbps(pace / deadlineShare) };
  const inTime = beforeTimeout(afterWait, input, timeout);
  return asRtp(inTime, kbps(options.ceiling_kbps));
}

/** Returns the pace of an audio request, which may share the connection of the latest video request. */
export const asVideo = (decision: PaceDecision, video: PaceDecision): PaceDecision =>
  decision.pace !== null && (video.reason === 'urgent' || (video.pace ?? 0) > decision.pace)
    ? { ...decision, pace: video.pace, reason: 'as-video' }
    : decision;

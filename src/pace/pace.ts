import type { AbrSession, AbrState } from '../abr/abr.ts';
import type { PaceReason, Phase } from '../decision.ts';
import type { Rung } from '../film/ladder.ts';
import { kbps, type Kbps, type Seconds } from '../units.ts';
import { RTP_STEP_KBPS, roundUpToRtp } from '../wire/rtp.ts';

export interface PaceDecision {
  /** Null requests no pace. */
  readonly pace: Kbps | null;
  readonly reason: PaceReason;
  /** The pace as a multiple of the top bitrate, if the policy uses multiples. */
  readonly multiplier?: number | undefined;
  /** Throughput at which the ABR algorithm picks the top rung, without margin: 0 if any suffices, Infinity if none suffices. */
  readonly bound?: Kbps | undefined;
}

/** The input of a policy for the next request of one media type. */
export interface PaceInput {
  /** The preload phase counts as playing. */
  readonly phase: Exclude<Phase, 'preload'>;
  readonly state: AbrState;
  /** The rung of the requested segment. */
  readonly rung: Rung;
  /** Duration of the segment; undefined if the request is not for a media segment. */
  readonly duration?: Seconds | undefined;
  /** The buffer level at which the player stops downloading at the top rung. */
  readonly maxBuffer: Seconds;
  /** The ABR algorithm, which returns the throughput that it needs to choose a rung. */
  readonly abr: Pick<AbrSession, 'requiredThroughput'>;
  /** The throughputs of the last minute's downloads that the network limited, not a pace; oldest first. */
  readonly carried: readonly Kbps[];
}

/**
 * Chooses how fast the server sends: the second half of Sammy, besides the ABR algorithm. A policy is called in every phase.
 * To preserve the play delay, it returns null in the initial and the recovery phase (Sammy §4.1).
 */
export interface PacePolicy {
  readonly name: string;
  choosePace(input: PaceInput): PaceDecision;
}

/**
 * The guaranteed share of a pace that arrives as content. It is below 1 because packet headers count against the pace, and
 * the request's round trip passes before the first byte.
 */
export const GOODPUT_OF_PACE = 0.9;

/**
 * The typical share of a pace that arrives as content, including the request's round trip: 0.99 if TCP itself paces, and 0.96
 * with the `fq` queue, which counts headers. The error changes the buffer level by a second or two.
 */
export const EXPECTED_GOODPUT = 0.97;

/**
 * Rounds a decision for CMCD `rtp`: to a multiple of 100 kbit/s, at most the option `ceiling_kbps`. A pace that is not a
 * positive number, from a custom policy, becomes null.
 */
export function asRtp(decision: PaceDecision, ceiling: Kbps): PaceDecision {
  if (decision.pace === null || !(decision.pace > 0)) return { ...decision, pace: null };
  const pace = roundUpToRtp(decision.pace);
  if (pace <= ceiling) return { ...decision, pace };
  return { ...decision, pace: kbps(ceiling - (ceiling % RTP_STEP_KBPS)), reason: 'lowered-to-ceiling' };
}

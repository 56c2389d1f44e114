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
  /**
   * The lowest throughput at which the ABR algorithm picks the top rung: 0 if any throughput suffices, Infinity if no
   * throughput suffices.
   */
  readonly bound?: Kbps | undefined;
}

/** The input of a policy for the next request of one media type. */
export interface PaceInput {
  /** The phase. The preload phase is passed as `playing`. */
  readonly phase: Exclude<Phase, 'preload'>;
  readonly state: AbrState;
  /** The rung of the requested segment. */
  readonly rung: Rung;
  /** Duration of the segment; undefined if the request is not for a media segment. */
  readonly duration?: Seconds | undefined;
  /** The buffer level at which the player stops downloading at the top rung. */
  readonly maxBuffer: Seconds;
  /** The ABR algorithm's session. It returns the throughput that a rung requires. */
  readonly abr: Pick<AbrSession, 'requiredThroughput'>;
  /** The throughputs of the last minute's downloads, oldest first, without pace-limited downloads. */
  readonly carried: readonly Kbps[];
}

/**
 * Chooses how fast the server sends each segment. A policy is called in every phase. It should return null in the
 * initial and the recovery phase, because a pace would increase the play delay (Sammy §4.1).
 */
export interface PacePolicy {
  readonly name: string;
  choosePace(input: PaceInput): PaceDecision;
}

/**
 * The lowest goodput of a paced download, as a share of the pace. It is below 1 because packet headers count against
 * the pace, and because the first byte arrives one round trip after the request.
 */
export const GOODPUT_OF_PACE = 0.9;

/**
 * The typical goodput of a paced download, as a share of the pace, including the request's round trip: between 0.99 if
 * TCP itself paces, and 0.96 with the `fq` qdisc, which counts headers. The difference changes the buffer level by one
 * or two seconds.
 */
export const EXPECTED_GOODPUT = 0.97;

/**
 * Rounds a decision's pace for CMCD `rtp`, to a multiple of 100 kbit/s and at most the option `ceiling_kbps`. A custom
 * policy's pace that is not a positive number becomes null.
 */
export function asRtp(decision: PaceDecision, ceiling: Kbps): PaceDecision {
  if (decision.pace === null || !(decision.pace > 0)) return { ...decision, pace: null };
  const pace = roundUpToRtp(decision.pace);
  if (pace <= ceiling) return { ...decision, pace };
  return { ...decision, pace: kbps(ceiling - (ceiling % RTP_STEP_KBPS)), reason: 'lowered-to-ceiling' };
}

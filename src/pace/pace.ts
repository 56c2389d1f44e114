import type { AbrSession, AbrState } from '../abr/abr.ts';
import type { PaceReason, Phase } from '../decision.ts';
import type { Rung } from '../film/ladder.ts';
import { kbps, type Kbps, type Seconds } from '../units.ts';
import { RTP_STEP_KBPS, roundUpToRtp } from '../wire/rtp.ts';

export interface PaceDecision {
  /** Null asks for no pace. */
  readonly pace: Kbps | null;
  readonly reason: PaceReason;
  /** The pace as a multiple of the top bitrate, if the policy is based on one. */
  readonly multiplier?: number | undefined;
  /** Throughput with which the ABR algorithm picks the top rung, without margin: 0 if any suffices, Infinity if none does. */
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
  /** The buffer that the player fills up to at the top rung. */
  readonly maxBuffer: Seconds;
  /** The ABR algorithm, which tells the throughput that it needs to choose a rung. */
  readonly abr: Pick<AbrSession, 'requiredThroughput'>;
  /** The throughputs of the last minute's downloads that only the network limited, and no pace; oldest first. */
  readonly carried: readonly Kbps[];
}

/**
 * How fast the server is to send, which is the other half of Sammy beside the ABR algorithm. A policy is asked in
 * every phase: to keep the play delay as it is, it answers null in the initial and the recovery phase (Sammy §4.1).
 */
export interface PacePolicy {
  readonly name: string;
  choosePace(input: PaceInput): PaceDecision;
}

/**
 * A paced download's throughput stays below its pace: packet headers count against the pace, and the
 * request's round trip passes before the first byte.
 */
export const GOODPUT_OF_PACE = 0.9;

/**
 * The share of a pace that usually arrives as content, the request's round trip included: 0.99 where TCP paces by itself, and
 * 0.96 where the `fq` queue does, which counts headers. The error moves the buffer by a second or two.
 */
export const EXPECTED_GOODPUT = 0.97;

/**
 * A decision as it goes out: a multiple of 100 kbit/s, as CMCD `rtp` wants it, and at most the ceiling of the options.
 * What is no rate, from a policy without types, asks for none.
 */
export function asRtp(decision: PaceDecision, ceiling: Kbps): PaceDecision {
  if (decision.pace === null || !(decision.pace > 0)) return { ...decision, pace: null };
  const pace = roundUpToRtp(decision.pace);
  if (pace <= ceiling) return { ...decision, pace };
  return { ...decision, pace: kbps(ceiling - (ceiling % RTP_STEP_KBPS)), reason: 'lowered-to-ceiling' };
}

import type { AbrAlgorithm, AbrState } from '../abr/abr.ts';
import type { Rung } from '../film/ladder.ts';
import type { Phase } from '../session/phase.ts';
import { kbps, type Kbps, type Seconds } from '../units.ts';
import { RTP_STEP_KBPS, roundUpToRtp } from '../wire/rtp.ts';

/** Why a pace. A policy of your own has its own words. */
export type PaceReason =
  /** Sammy Algorithm 1: between c0 and c1 times the top bitrate, by how full the buffer is. */
  | 'algorithm-1'
  /** Raised to what the ABR algorithm needs to pick the top rung at this buffer (Sammy Eq. 1). */
  | 'raised-to-eq-1'
  /** Raised so that the very segment arrives before the buffer is empty. */
  | 'raised-to-arrive-in-time'
  /** Raised to the bitrate of the very segment. */
  | 'raised-to-segment-bitrate'
  /** Raised so that the segment takes at most 0.4 of the time after which the player gives a request up. */
  | 'raised-before-timeout'
  /**
   * The pace of the video, for audio. Both may share a connection, and what a socket still owes the pace of a
   * small audio segment would hold up the video segment behind it.
   */
  | 'as-video'
  /** Planned from the coming segments' sizes; what is buffered may make up for a segment larger than the pace (`smooth`). */
  | 'smoothed'
  /** Generous, since the network lately was the limit and did not carry much more than the top bitrate (`smooth`). */
  | 'network-is-weak'
  /** Lowered to the ceiling of the options, whatever the above asked for. */
  | 'lowered-to-ceiling'
  /** No pace: so little is buffered that the next segment must come faster than any policy paces. */
  | 'urgent'
  /** No pace: playback has not started. */
  | 'initial'
  /** No pace: the viewer waits, after a stall or a seek, or for something better than what plays. */
  | 'recovery'
  /** No pace: low-latency live, where a segment is sent while it is made. */
  | 'low-latency'
  /** No pace: switched off in the options. */
  | 'switched-off'
  | (string & Record<never, never>);

export interface PaceDecision {
  /** Null asks for no pace. */
  readonly pace: Kbps | null;
  readonly reason: PaceReason;
  /** Of the top bitrate, where the policy goes by one. */
  readonly multiplier?: number | undefined;
  /** What Eq. 1 asks for, before the margin. */
  readonly bound?: Kbps | undefined;
}

/** What a policy may know when it decides about the next request of one media type. */
export interface PaceInput {
  /** The preload phase counts as playing. */
  readonly phase: Exclude<Phase, 'preload'>;
  readonly state: AbrState;
  /** The rung of the segment that is asked for. */
  readonly rung: Rung;
  /** How long the segment plays; undefined for what is no media segment. */
  readonly duration?: Seconds | undefined;
  /** The buffer that the player fills up to at the top rung. */
  readonly maxBuffer: Seconds;
  readonly abr: AbrAlgorithm;
  /** The least that the network itself, and no pace, let a download of the last minute have; infinite without any. */
  readonly weakest: Kbps;
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
 * A decision as it goes out: a multiple of 100 kbit/s, as CMCD `rtp` wants it, and at most the ceiling of the options.
 * What is no rate, from a policy without types, asks for none.
 */
export function asRtp(decision: PaceDecision, ceiling: Kbps): PaceDecision {
  if (decision.pace === null || !(decision.pace > 0)) return { ...decision, pace: null };
  const pace = roundUpToRtp(decision.pace);
  if (pace <= ceiling) return { ...decision, pace };
  return { ...decision, pace: kbps(ceiling - (ceiling % RTP_STEP_KBPS)), reason: 'lowered-to-ceiling' };
}

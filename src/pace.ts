import { lookahead, type AbrAlgorithm, type AbrState } from './abr.ts';
import { topOf, type Rung } from './ladder.ts';
import type { Phase } from './phase.ts';
import { bitrateOf } from './segments.ts';
import { kbps, seconds, type Kbps, type Seconds } from './units.ts';
import { RTP_STEP_KBPS, roundUpToRtp } from './wire/rtp.ts';

export type PaceReason =
  /** Sammy Algorithm 1: between c0 and c1 times the top bitrate, by how full the buffer is. */
  | 'algorithm-1'
  /** Raised to what the ABR algorithm needs to pick the top rung at this buffer (Sammy Eq. 1). */
  | 'raised-to-eq-1'
  /** Raised so that the very segment arrives before the buffer is empty. */
  | 'raised-to-arrive-in-time'
  /** Raised to the bitrate of the very segment. */
  | 'raised-to-segment-bitrate'
  /**
   * The pace of the video, for audio. Both may share a connection, and what a socket still owes the pace of a
   * small audio segment would hold up the video segment behind it.
   */
  | 'as-video'
  /** Lowered to the ceiling of the options, whatever the above asked for. */
  | 'lowered-to-ceiling'
  /** No pace: playback has not started. */
  | 'initial'
  /** No pace: the viewer waits after a stall or a seek. */
  | 'recovery'
  /** No pace: low-latency live, where a segment is sent while it is made. */
  | 'low-latency'
  /** No pace: switched off in the options. */
  | 'switched-off';

export interface PaceDecision {
  /** A multiple of 100, as CMCD `rtp` wants it; null asks for no pace. */
  readonly pace: Kbps | null;
  readonly reason: PaceReason;
  /** Between c0 and c1. */
  readonly multiplier?: number;
  /** What Eq. 1 asks for, before the margin. */
  readonly bound?: Kbps;
}

export interface PaceOptions {
  /** Multiple of the top bitrate at an empty buffer. */
  readonly c0: number;
  /** Multiple of the top bitrate at a full buffer. */
  readonly c1: number;
  readonly ceiling_kbps: number;
}

export interface PaceInput {
  readonly phase: Phase;
  readonly state: AbrState;
  /** The rung of the segment that is asked for. */
  readonly rung: Rung;
  /** How long the segment plays; undefined for what is no media segment. */
  readonly duration?: Seconds | undefined;
  readonly maxBuffer: Seconds;
  readonly abr: AbrAlgorithm;
}

/**
 * A paced download's throughput stays below its pace: packet headers count against the pace, and the
 * request's round trip passes before the first byte. The estimate must still reach the bound of Eq. 1.
 */
const GOODPUT_OF_PACE = 0.9;

/**
 * However soon the buffer will be empty, a pace is no more than this multiple of the top bitrate for its sake, which
 * is Sammy's own c0 (§5), nor than c0. An empty buffer raises no pace: its stall is the recovery phase's.
 */
const MOST_URGENT = 3.2;

/** Sammy Algorithm 1, kept above the bound of Eq. 1, which by itself lets the buffer run down to one segment. */
export function choosePace(
  { phase, state, rung, duration = seconds(0), maxBuffer, abr }: PaceInput,
  options: PaceOptions,
): PaceDecision {
  if (phase !== 'playing') return { pace: null, reason: phase };

  const top = topOf(state.ladder);
  const fullness = maxBuffer > 0 ? Math.min(1, Math.max(0, state.buffer / maxBuffer)) : 0;
  const multiplier = options.c1 * fullness + options.c0 * (1 - fullness);
  // Faster playback needs proportionally more; slower playback is a chance to fill the buffer.
  const speed = Math.max(1, state.playbackRate);
  const bound = abr.requiredThroughput(state, top);
  const segment = kbps(segmentBitrate(state, rung) * speed);
  const inTime = state.buffer > 0 ? (segment * duration) / (GOODPUT_OF_PACE * state.buffer) : 0;
  const mostUrgent = Math.max(MOST_URGENT, options.c0) * top.bitrate_kbps * speed;

  const candidates: [Kbps, PaceReason][] = [
    [kbps(multiplier * top.bitrate_kbps * speed), 'algorithm-1'],
    [kbps(bound / GOODPUT_OF_PACE), 'raised-to-eq-1'],
    [kbps(Math.min(inTime, mostUrgent)), 'raised-to-arrive-in-time'],
    [segment, 'raised-to-segment-bitrate'],
  ];
  const [wanted, reason] = candidates.reduce((highest, next) => (next[0] > highest[0] ? next : highest));
  const pace = roundUpToRtp(wanted);
  if (pace > options.ceiling_kbps) {
    const ceiling = kbps(Math.floor(options.ceiling_kbps / RTP_STEP_KBPS) * RTP_STEP_KBPS);
    return { pace: ceiling, reason: 'lowered-to-ceiling', multiplier, bound };
  }
  return { pace, reason, multiplier, bound };
}

/** A horizon of next to nothing finds just the next segment. */
const segmentBitrate = (state: AbrState, rung: Rung): Kbps =>
  bitrateOf(lookahead(state, rung, seconds(1e-3)));

import type { PacingHonored } from '../learning/edge-trust.ts';
import type { PaceReason } from '../pace/pace.ts';
import type { Phase } from './phase.ts';

export type MediaType = 'video' | 'audio';

/**
 * The one record of a segment: made when it is requested, completed when it has arrived. Everything that is
 * logged, drawn or analyzed is read from it, so its fields are plain and carry their units.
 */
export interface Decision {
  /** Counts requests of media segments in this session, from 0. */
  readonly sequence: number;
  /** Since the session began. */
  readonly at_ms: number;
  readonly media_type: MediaType;
  readonly phase: Phase;
  readonly representation: string;
  readonly bitrate_kbps: number;
  readonly top_bitrate_kbps: number;
  readonly segment_start_s: number;
  readonly segment_duration_s: number;
  readonly buffer_s: number;
  readonly playback_rate: number;
  /** Live, and sent while it is made: it takes its own duration to arrive. */
  readonly low_latency: boolean;
  /** What the network is thought to carry; null when nothing is known and the default was used. */
  readonly estimate_kbps: number | null;
  /** Why this rung: the ABR algorithm's own word, or `player` when dash.js chose. */
  readonly abr_reason: string;
  /** The pace asked for with CMCD rtp; null asks for none. */
  readonly requested_kbps: number | null;
  readonly pace_reason: PaceReason;
  readonly multiplier: number | null;
  /** Sammy Eq. 1 for the top rung at this buffer. */
  readonly bound_kbps: number | null;
}

/** A decision with what became of it. */
export interface CompletedDecision extends Decision {
  readonly outcome: 'completed' | 'abandoned' | 'failed';
  readonly size_bytes: number;
  readonly download_ms: number;
  /** Size over download time (Sammy Appendix A); null when nothing arrived. */
  readonly achieved_kbps: number | null;
  /** The pace the server says it applied, null for none; undefined when it sent no receipt. */
  readonly applied_kbps?: number | null;
  /** The pace, or the encoder of low-latency live, set the speed, so that the throughput is a lower bound. */
  readonly pace_limited: boolean;
  /** As far as is known by now: whether the edge paces as it is asked to. */
  readonly pacing_honored: PacingHonored;
  /** The browser had it: nothing about the network can be learnt from it. */
  readonly from_cache?: true;
  readonly edge_reason?: string;
  readonly rtt_ms?: number;
  readonly min_rtt_ms?: number;
  readonly retransmitted_bytes?: number;
  readonly sent_bytes?: number;
  readonly connection?: string;
  readonly congestion_control?: string;
  readonly ssim_db?: number;
}

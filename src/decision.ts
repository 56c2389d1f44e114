import type { MediaType } from './film/media-type.ts';
import type { Receipt } from './wire/receipt.ts';

/**
 * - `initial`: until playback first starts. Unpaced, because a lower rate here increases the play delay (Sammy §4.1).
 *   If the media element is paused (no autoplay, autoplay blocked, or an advertisement first), the viewer is not
 *   waiting yet. The phase then ends when enough is buffered for a prompt start, and begins again when playback is
 *   requested.
 * - `preload`: enough is buffered for a prompt start, and the viewer has not requested playback. Paced like the playing
 *   phase.
 * - `playing`: paced.
 * - `recovery`: after a stall, or a seek that (nearly) emptied the buffer. Unpaced until the buffer level is safe,
 *   because the viewer waits again. A request that replaces the segment being played with a higher rung is in this
 *   phase too. dash.js makes such requests after a switch up at the start of a session on a fast network.
 */
export type Phase = 'initial' | 'preload' | 'playing' | 'recovery';

export interface PhaseChange {
  readonly phase: Phase;
  readonly previous: Phase;
}

/** The reason for a pace. Custom policies may use their own strings. */
export type PaceReason =
  /** Sammy Algorithm 1: from c0 times the top bitrate at an empty buffer to c1 times at a full buffer. */
  | 'algorithm-1'
  /** Raised to the throughput at which the ABR algorithm picks the top rung at this buffer level (Sammy Eq. 1 for HYB). */
  | 'raised-to-eq-1'
  /** Raised so that this segment arrives before the buffer is empty. */
  | 'raised-to-arrive-in-time'
  /** Raised to the bitrate of this segment. */
  | 'raised-to-segment-bitrate'
  /** Raised so that the segment takes at most 0.4 of the player's request timeout. */
  | 'raised-before-timeout'
  /**
   * Audio uses the pace of the video, or none if the video is urgent. Audio and video may share a connection, so a slow
   * audio segment would delay the next video segment.
   */
  | 'as-video'
  /**
   * Planned from the sizes of the upcoming segments (`smooth`). The pace may be below a segment's bitrate; the buffer
   * then absorbs the difference.
   */
  | 'smoothed'
  /**
   * Algorithm 1 with high multiples, because the network recently sustained hardly more than the top bitrate
   * (`smooth`).
   */
  | 'network-is-weak'
  /**
   * Algorithm 1 with high multiples, so that the buffer grows: at this buffer level, no throughput makes the ABR
   * algorithm pick the top rung (`smooth`).
   */
  | 'buffer-is-to-grow'
  /**
   * Slightly below the network's throughput, because the network is slower than the policy's pace. This keeps the queue
   * short for other traffic.
   */
  | 'below-network'
  /** Lowered to the option `ceiling_kbps`. */
  | 'lowered-to-ceiling'
  /** No pace: the buffer level is so low that the next segment must arrive as fast as possible. */
  | 'urgent'
  /** No pace: playback has not started. */
  | 'initial'
  /** No pace: the viewer waits after a stall or a seek, or the request replaces the segment being played. */
  | 'recovery'
  /** No pace: in low-latency live, segments are sent while they are encoded. */
  | 'low-latency'
  /** No pace: the origin refuses requests with `rtp`. */
  | 'rtp-refused'
  /** No pace: another request is testing whether the origin answers requests with `rtp`. */
  | 'rtp-untried'
  /** No pace: the URL's scheme is not HTTP or HTTPS. */
  | 'not-http'
  /** No pace: switched off in the options. */
  | 'switched-off'
  | (string & Record<never, never>);

/** Whether the edge paces as requested. `unknown` until several consecutive segments agree. */
export type PacingHonored = 'yes' | 'no' | 'unknown';

export type Outcome = 'completed' | 'abandoned' | 'failed';

/**
 * The record of a segment, created when the segment is requested and completed when the download ends. Logs, charts and
 * analyses all use this record, so its fields are plain values with their units in the name.
 */
export interface Decision {
  /** Number of earlier media segment requests in this session. */
  readonly sequence: number;
  /** Time since the session began. */
  readonly at_ms: number;
  /** Video and audio have separate records. For the video only, filter by `video`. */
  readonly media_type: MediaType;
  readonly phase: Phase;
  readonly representation: string;
  readonly bitrate_kbps: number;
  readonly top_bitrate_kbps: number;
  readonly segment_start_s: number;
  readonly segment_duration_s: number;
  readonly buffer_s: number;
  readonly playback_rate: number;
  /**
   * Whether segments are sent while they are encoded (low-latency live). A segment then takes its own duration to
   * arrive.
   */
  readonly low_latency: boolean;
  /** The throughput estimate, kbit/s; null if there was none and the default was used. */
  readonly estimate_kbps: number | null;
  /** The ABR algorithm's reason for this rung, or `player` if the player's own rules chose. */
  readonly abr_reason: string;
  /** The pace requested with CMCD rtp; null if none. */
  readonly requested_kbps: number | null;
  readonly pace_reason: PaceReason;
  readonly multiplier: number | null;
  /**
   * The throughput, kbit/s, at which the ABR algorithm picks the top rung at this buffer level (Sammy Eq. 1 for HYB); null if
   * none suffices.
   */
  readonly bound_kbps: number | null;
  /** The receipt of the latest response before the decision, possibly of an initialization segment. */
  readonly last_receipt?: Receipt | undefined;
}

/** A decision and the result of its download. */
export interface CompletedDecision extends Decision {
  readonly outcome: Outcome;
  readonly size_bytes: number;
  readonly download_ms: number;
  /** Size over download time (Sammy Appendix A); null if nothing arrived. */
  readonly achieved_kbps: number | null;
  /** The pace that the server reports as applied; null if it reports no pace, undefined without a receipt. */
  readonly applied_kbps?: number | null;
  /** Whether the pace, or the encoder of low-latency live, limited the download, so that its throughput is a lower bound. */
  readonly pace_limited: boolean;
  /** Whether the edge paces as requested, as far as the downloads so far show. */
  readonly pacing_honored: PacingHonored;
  /** Set if the response came from the browser's cache, so that it is not a network sample. */
  readonly from_cache?: true;
  readonly edge_reason?: string;
  readonly rtt_ms?: number;
  readonly min_rtt_ms?: number;
  readonly retransmitted_bytes?: number;
  readonly sent_bytes?: number;
  readonly connection?: string;
  /** Congestion window when the response began, packets. */
  readonly cwnd_packets?: number;
  /** `in_flight_packets=N,delivery_kbps=R,app_limited=0|1` when the response began. Input of `readTcpState`. */
  readonly tcp_state?: string;
  /** The connection's delivery rate according to the server's kernel. */
  readonly etp_kbps?: number;
  /** Set if the pace, not the network, limited `etp_kbps`. */
  readonly etp_limited_by?: 'pace';
  /** Total pace of the responses that share this connection; null if any of them is unpaced. */
  readonly socket_pace_kbps?: number | null;
  readonly congestion_control?: string;
  readonly ssim_db?: number;
}

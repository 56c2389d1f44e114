import type { MediaType } from './film/media-type.ts';
import type { Receipt } from './wire/receipt.ts';

/**
 * - `initial`: until playback first starts; unpaced, since a lower rate here is a longer play delay (Sammy §4.1).
 *   Where the media element is paused (no autoplay, or the browser forbids it, or an advertisement comes first), nobody
 *   waits before it is to play: then it is so only until enough is there for a prompt start, and again once it is to.
 * - `preload`: enough is there for a prompt start, and the viewer has not asked to play; paced like the playing phase.
 * - `playing`: paced.
 * - `recovery`: after a stall, or a seek that (nearly) emptied the buffer; unpaced like the initial phase, since the
 *   viewer waits again, until the buffer is safe. So is a request that replaces the very segment that plays by a better
 *   one, as dash.js does on a switch up at the start of a fast session.
 */
export type Phase = 'initial' | 'preload' | 'playing' | 'recovery';

export interface PhaseChange {
  readonly phase: Phase;
  readonly previous: Phase;
}

/** Why a pace. A policy of your own has its own words. */
export type PaceReason =
  /** Sammy Algorithm 1: between c0 times the top bitrate at an empty buffer, and c1 times at a full one. */
  | 'algorithm-1'
  /** Raised to the throughput with which the ABR algorithm picks the top rung at this buffer (Sammy Eq. 1 for HYB). */
  | 'raised-to-eq-1'
  /** Raised so that the very segment arrives before the buffer is empty. */
  | 'raised-to-arrive-in-time'
  /** Raised to the bitrate of the very segment. */
  | 'raised-to-segment-bitrate'
  /** Raised so that the segment takes at most 0.4 of the time after which the player gives a request up. */
  | 'raised-before-timeout'
  /**
   * The pace of the video, for audio, or none where the video is urgent. Both may share a connection, and what a socket
   * still owes the pace of a small audio segment would hold up the video segment behind it.
   */
  | 'as-video'
  /** Planned from the coming segments' sizes; what is buffered may make up for a segment larger than the pace (`smooth`). */
  | 'smoothed'
  /** Generous, since the network lately was the limit and did not carry much more than the top bitrate (`smooth`). */
  | 'network-is-weak'
  /** Generous, since at this buffer no throughput makes the ABR algorithm pick the top rung: it is to grow (`smooth`). */
  | 'buffer-is-to-grow'
  /** Slightly below the latest throughput of a network that is slower than the pace, so that the queue stays short for others. */
  | 'below-network'
  /** Lowered to the option `ceiling_kbps`. */
  | 'lowered-to-ceiling'
  /** No pace: so little is buffered that the next segment must come faster than any policy paces. */
  | 'urgent'
  /** No pace: playback has not started. */
  | 'initial'
  /** No pace: the viewer waits, after a stall or a seek, or for something better than what plays. */
  | 'recovery'
  /** No pace: low-latency live, where a segment is sent while it is made. */
  | 'low-latency'
  /** No pace: the origin refuses requests with `rtp`. */
  | 'rtp-refused'
  /** No pace: whether the origin answers requests that ask for one is being tried with another request. */
  | 'rtp-untried'
  /** No pace: the URL is of another scheme than HTTP's. */
  | 'not-http'
  /** No pace: switched off in the options. */
  | 'switched-off'
  | (string & Record<never, never>);

/** Does the edge do what rtp asks it to? Unknown until several segments in a row have told. */
export type PacingHonored = 'yes' | 'no' | 'unknown';

export type Outcome = 'completed' | 'abandoned' | 'failed';

/**
 * The one record of a segment: made when it is requested, completed when it has arrived. Everything that is
 * logged, drawn or analyzed is read from it, so its fields are plain and carry their units.
 */
export interface Decision {
  /** Counts requests of media segments in this session, from 0. */
  readonly sequence: number;
  /** Since the session began. */
  readonly at_ms: number;
  /** Each media type has its own segments: to follow the video alone, read the decisions of `video`. */
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
  /** The throughput estimate, kbit/s; null when nothing is known and the default was used. */
  readonly estimate_kbps: number | null;
  /** Why this rung: the ABR algorithm's own word, or `player` when dash.js chose. */
  readonly abr_reason: string;
  /** The pace asked for with CMCD rtp; null asks for none. */
  readonly requested_kbps: number | null;
  readonly pace_reason: PaceReason;
  readonly multiplier: number | null;
  /** Throughput, kbit/s, with which the ABR algorithm picks the top rung at this buffer (Sammy Eq. 1 for HYB); null if none suffices. */
  readonly bound_kbps: number | null;
  /** The receipt of the last response before the decision, which may be that of an initialization segment. */
  readonly last_receipt?: Receipt | undefined;
}

/** A decision and the result of its download. */
export interface CompletedDecision extends Decision {
  readonly outcome: Outcome;
  readonly size_bytes: number;
  readonly download_ms: number;
  /** Size over download time (Sammy Appendix A); null when nothing arrived. */
  readonly achieved_kbps: number | null;
  /** The pace the server says it applied, null for none; undefined when it sent no receipt. */
  readonly applied_kbps?: number | null;
  /** The pace, or the encoder of low-latency live, set the speed, so that the throughput is a lower bound. */
  readonly pace_limited: boolean;
  /** Whether the edge paces as requested, as far as the downloads so far show. */
  readonly pacing_honored: PacingHonored;
  /** The response came from the browser's cache, so it says nothing about the network. */
  readonly from_cache?: true;
  readonly edge_reason?: string;
  readonly rtt_ms?: number;
  readonly min_rtt_ms?: number;
  readonly retransmitted_bytes?: number;
  readonly sent_bytes?: number;
  readonly connection?: string;
  /** Congestion window as the response began, packets. */
  readonly cwnd_packets?: number;
  /** `in_flight_packets=N,delivery_kbps=R,app_limited=0|1` of the same reading; `readTcpState` reads it. */
  readonly tcp_state?: string;
  /** The connection's throughput by the server's kernel, kbit/s, and what limited it, where that was not the network. */
  readonly etp_kbps?: number;
  readonly etp_limited_by?: 'pace';
  /** Total pace of the responses that share this connection; null if any of them is unpaced. */
  readonly socket_pace_kbps?: number | null;
  readonly congestion_control?: string;
  readonly ssim_db?: number;
}

import type { CompletedDecision, Phase } from '../../../src/decision.ts';
import type { TextStorage } from '../../../src/learning/text-storage.ts';
import type { SessionSummary } from '../../../src/session/summary.ts';
import type { Arm } from '../arms/arm.ts';
import type { NeighborResult } from '../neighbors/neighbor.ts';
import type { PlaybackEvent } from '../records/play.ts';
import type { Batch, SentPackets } from '../../network/virtual/rounds/connection.ts';
import type { Capacity } from '../../network/virtual/rounds/capacity.ts';
import type { Film } from './player/film.ts';

/** When simulated sessions begin by default, ms since 1970. */
export const TODAY_MS = 1_700_000_000_000;

/**
 * One session in virtual time: the plug-in's core, a model of dash.js, and TCP simulated by round trips over a link
 * with a queue. The simulation is event-driven and takes milliseconds, so that designs can be compared on hundreds of
 * networks. Results are then checked in the lab; `lab report DIR --validate` shows the simulator's errors.
 */
export interface SimulatedSession extends PlayedSession {
  readonly network: SimulatedNetwork;
  /**
   * When the session begins, ms since 1970: `TODAY_MS` by default. Determines the age of the stored throughputs.
   * Only the model supports this; the page ignores it.
   */
  readonly begins_ms?: number | undefined;
  /** The seed of random loss. */
  readonly seed?: number | undefined;
  /**
   * Whether to fork the network at each paced request, to find out how long the request would have taken without its
   * pace.
   */
  readonly forks?: boolean | undefined;
  /** Called with every batch of packets, in the order in which they are sent, and with the phase of their request. */
  readonly observe?: ((batch: Batch, phase: Phase | undefined) => void) | undefined;
  /** The name of the neighbor on the link, as in the lab. */
  readonly neighbor?: string | undefined;
  readonly observeNeighbor?: ((sent: SentPackets) => void) | undefined;
}

/** A session over any network, simulated or real. */
export interface PlayedSession {
  readonly arm: Pick<Arm, 'sammy' | 'settings'>;
  readonly film: Film;
  readonly seconds: number;
  /** The level up to which dash.js fills its buffer, at any rung; dash.js's default if not given. */
  readonly buffer_s?: number | undefined;
  /** The throughputs that the viewer's earlier sessions measured, kbit/s; the most recent is last. */
  readonly history?: readonly number[] | undefined;
  /**
   * The storage of a viewer who plays several sessions. By default, each session has its own. The simulated rules of
   * dash.js ignore its content, and the page does not use it.
   */
  readonly storage?: TextStorage | undefined;
  readonly seeks?: readonly Seek[] | undefined;
  /**
   * Seconds of content that are played per second; 1 by default. The simulated rules of dash.js ignore the playback
   * rate.
   */
  readonly playbackRate?: number | undefined;
}

export interface SimulatedNetwork {
  readonly capacity: Capacity;
  /** The round-trip time of the idle link. */
  readonly rtt_ms: number;
  readonly queue_bytes: number;
  /** The probability of random loss, 0 to 1. */
  readonly loss?: number | undefined;
  readonly congestionControl?: string | undefined;
  /**
   * The share of a pace that arrives as content; 1 by default. It is lower if a server's pacer counts headers, or is
   * slow.
   */
  readonly goodputOfPace?: number | undefined;
}

export interface Seek {
  /** The time of the seek, s since the request for playback. */
  readonly at_s: number;
  readonly to_s: number;
}

export interface SimulatedResult {
  readonly summary: SessionSummary;
  readonly decisions: readonly CompletedDecision[];
  /** The unpaced durations of paced video requests, if the session forks the network. */
  readonly unpaced: readonly Unpaced[];
  /** The neighbor's measurements; absent without a neighbor. */
  readonly neighbor?: NeighborResult<string> | undefined;
  /** The video buffer level every 250 ms, as [t_s, buffer_s]. */
  readonly buffer: readonly (readonly [number, number])[];
  readonly playback: readonly PlaybackEvent[];
  /** When playback began, ms since the request for playback; null if it never began. */
  readonly playingAt_ms: number | null;
  /** As in `RunRecord`. */
  readonly player_error?: string;
  /** The throughput history for the next session. */
  readonly history: readonly number[];
}

/** The duration that a paced request would have had without its pace. */
export interface Unpaced {
  readonly sequence: number;
  readonly unpaced_ms: number;
}

import type { CompletedDecision, Phase } from '../../../src/decision.ts';
import type { SessionSummary } from '../../../src/session/summary.ts';
import type { Arm } from '../arms/arm.ts';
import type { NeighborResult } from '../neighbors/neighbor.ts';
import type { PlaybackEvent } from '../records/play.ts';
import type { Batch, SentPackets } from '../../network/virtual/rounds/connection.ts';
import type { Capacity } from '../../network/virtual/rounds/capacity.ts';
import type { Film } from './player/film.ts';

/**
 * One session in virtual time: the plug-in's own core, a model of dash.js around it, and TCP by round trips over a link
 * with a queue. It is event-driven and takes milliseconds, for choosing designs on hundreds of networks. Results are then
 * checked in the lab; `lab report DIR --validate` shows the simulator's errors.
 */
export interface SimulatedSession extends PlayedSession {
  readonly network: SimulatedNetwork;
  /** Of random loss. */
  readonly seed?: number | undefined;
  /** At each paced request the network is forked, to find out what the request would have taken without its pace. */
  readonly forks?: boolean | undefined;
  /** Called with every batch of packets, in the order in which they are sent, and with the phase of their request. */
  readonly observe?: ((batch: Batch, phase: Phase | undefined) => void) | undefined;
  /** What else is on the link, by its name in the lab. */
  readonly neighbor?: string | undefined;
  /** Called with the packets of the neighbor. */
  readonly observeNeighbor?: ((sent: SentPackets) => void) | undefined;
}

/** A session over whatever network. */
export interface PlayedSession {
  readonly arm: Pick<Arm, 'sammy' | 'settings'>;
  readonly film: Film;
  readonly seconds: number;
  /** What dash.js fills its buffer up to, at any rung; its own when not given. */
  readonly buffer_s?: number | undefined;
  /** What the viewer's earlier sessions measured, kbit/s, the latest last. */
  readonly history?: readonly number[] | undefined;
  readonly seeks?: readonly Seek[] | undefined;
  /** Content seconds that the viewer plays in a second; 1 when not given. dash.js's rules as simulated do not look at it. */
  readonly playbackRate?: number | undefined;
  /** Live: segments become available when they have been made, and the viewer is this far behind. Absent: on demand. */
  readonly liveDelay_s?: number | undefined;
}

export interface SimulatedNetwork {
  readonly capacity: Capacity;
  /** There and back, idle. */
  readonly rtt_ms: number;
  readonly queue_bytes: number;
  /** Random, 0 to 1. */
  readonly loss?: number | undefined;
  readonly congestionControl?: string | undefined;
  /** Of a pace, the share that arrives as content; 1 when not given. A server's pacer may count headers, or be slow. */
  readonly goodputOfPace?: number | undefined;
}

export interface Seek {
  /** Since the request for playback. */
  readonly at_s: number;
  readonly to_s: number;
}

export interface SimulatedResult {
  readonly summary: SessionSummary;
  readonly decisions: readonly CompletedDecision[];
  /** Of the picture's paced requests, where the session was asked for it. */
  readonly unpaced: readonly Unpaced[];
  /** What the neighbor measured, where there was one. */
  readonly neighbor?: NeighborResult<string> | undefined;
  /** [t_s, buffer_s] of the picture every 250 ms. */
  readonly buffer: readonly (readonly [number, number])[];
  readonly playback: readonly PlaybackEvent[];
  /** When playback began, ms since the request for it; null if it never did. */
  readonly playingAt_ms: number | null;
  /** What the next session remembers. */
  readonly history: readonly number[];
}

/** What a paced request would have taken if it alone had not been paced. */
export interface Unpaced {
  /** Of the request's decision. */
  readonly sequence: number;
  readonly unpaced_ms: number;
}

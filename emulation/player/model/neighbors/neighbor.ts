import type { CongestionControl } from '../../../network/virtual/rounds/congestion/congestion-control.ts';
import type { SentPackets, Path } from '../../../network/virtual/rounds/connection.ts';
import type { NeighborResult, NeighborSession } from '../../neighbors/neighbor.ts';
import type { Film } from '../player/film.ts';

/**
 * A neighbor of the lab in virtual time, on the session's bottleneck. Its metrics have the same names as in the lab.
 */
export interface SimulatedNeighbor {
  /** When the neighbor sends next; Infinity while it does not send. */
  readonly next_ms: number;
  /** Sends the data that are due at `next_ms`. */
  send(): void;
  /** Called when the session's playback has begun. */
  playbackStarted(now_ms: number): void;
  /** Returns the measurements. Some of them depend on when the finished session had chunks in flight. */
  result(session: Pick<NeighborSession, 'seconds' | 'flights'>): NeighborResult<string>;
}

/** The path of the neighbor's packets, over the link that it shares with the session. */
export interface NeighborPath extends Omit<Path, 'observe'> {
  readonly observe?: ((sent: SentPackets) => void) | undefined;
}

/** The session's server and video, which a video neighbor shares. */
export interface NeighborNetwork {
  readonly film: Film;
  /** The idle link's round-trip time. */
  readonly rtt_ms: number;
  /** Makes the server's congestion control for a new connection. */
  readonly control: () => CongestionControl;
}

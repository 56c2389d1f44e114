import type { SentPackets, Path } from '../../../network/virtual/rounds/connection.ts';
import type { NeighborResult, NeighborSession } from '../../neighbors/neighbor.ts';

/** A neighbor of the lab in virtual time, over the session's bottleneck. What it measures is called as in the lab. */
export interface SimulatedNeighbor {
  /** When it sends next; Infinity while it does not. */
  readonly next_ms: number;
  /** Sends what it sends at `next_ms`. */
  send(): void;
  /** The session's playback has begun. */
  playing(now_ms: number): void;
  /** What it has measured beside a session of which all is known. */
  result(session: Pick<NeighborSession, 'seconds' | 'flights'>): NeighborResult<string>;
}

/** The way of its packets. */
export interface BesidePath extends Omit<Path, 'observe'> {
  readonly observe?: ((sent: SentPackets) => void) | undefined;
}

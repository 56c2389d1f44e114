import type { RoutedNetwork } from '../../../../buffers/packets/routed-network.ts';
import type { Film } from '../../../player/model/player/film.ts';
import type { PatienceName } from '../../../player/light/patience.ts';
import type { Played } from '../../../player/records/play.ts';
import type { PlannedSession } from '../demand.ts';
import { CONTENT_BYTES, FRAME_BYTES, PacketWire } from './packet-wire.ts';

export const VIEWERS_PATIENCE: PatienceName = 'krishnan-sitaraman';
/** The most content that dash.js buffers beyond a session's end, s. */
export const BUFFERED_S = 90;
/** The start of all players' clocks, ms since 1970. */
export const TODAY_MS = 1_700_000_000_000;

/** The session, the video and the network of a viewer. */
export interface VisitParts {
  readonly session: PlannedSession;
  /** The viewer's arm, by its name in the lab. */
  readonly arm: string;
  readonly film: Film;
  readonly network: RoutedNetwork;
  /** When the hour ends, s. */
  readonly end_s: number;
  readonly seed: number;
}

/** The results of a watched session. */
export type Watched = Pick<Played, 'summary' | 'decisions'>;

/** A viewer with a player. The viewer arrives when the session begins. */
export interface Visit {
  readonly wire: PacketWire;
  /** Returns the session's results. A viewer who is still present leaves first. */
  watched(): Watched;
}

/** Makes the viewer's connections. `changed` is called when a response has ended. */
export function wireFor({ session, network }: VisitParts, changed: () => void): PacketWire {
  return new PacketWire({
    network,
    route: {
      queue: session.queue,
      rtt_ms: session.rtt_ms,
      line: { packet_ms: (FRAME_BYTES * 8) / session.access_kbps, free_ms: 0 },
      receive_window: Math.floor(session.receive_window_bytes / CONTENT_BYTES),
    },
    congestionControl: network.options.congestion_control,
    began_ms: 1000 * session.at_s,
    changed,
  });
}

/** How long the viewer watches if nothing disturbs playback, s. */
export const stays_s = ({ session, end_s }: Pick<VisitParts, 'session' | 'end_s'>): number =>
  Math.min(session.watch_s, end_s - session.at_s);

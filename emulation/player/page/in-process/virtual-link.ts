import type { Phase } from '../../../../src/decision.ts';
import { simulatedNeighbor } from '../../model/neighbors/index.ts';
import type { SimulatedNeighbor } from '../../model/neighbors/neighbor.ts';
import type { SimulatedSession } from '../../model/simulated-session.ts';
import { seededRandom } from '../../../ground/statistics/random.ts';
import { Bottleneck } from '../../../network/virtual/rounds/bottleneck.ts';
import { congestionControlNamed } from '../../../network/virtual/rounds/congestion/index.ts';
import type { Batch } from '../../../network/virtual/rounds/connection.ts';
import { ConnectionPool } from '../../../network/virtual/rounds/pool.ts';
import { VirtualClock } from '../clocks/virtual-clock.ts';
import { FilmEdge } from './film-edge.ts';
import { FilmServer } from './film-server.ts';
import { RoundsWire } from './rounds-wire.ts';

/**
 * The number of connections that are open before the session. The page and the sidecar were fetched over one
 * connection, so its congestion window has grown.
 */
const OPEN_AT_FIRST = 1;

/** The network of a session, and the neighbor on its link. */
export type LinkOptions = Pick<
  SimulatedSession,
  'network' | 'film' | 'seed' | 'observe' | 'neighbor' | 'observeNeighbor'
>;

/** A link in virtual time between a page and a video's server, with the clock for page, link and server. */
export class VirtualLink {
  readonly clock = new VirtualClock();
  readonly wire: RoundsWire;
  readonly neighbor: SimulatedNeighbor | undefined;
  readonly #pool: ConnectionPool;
  #phase: Phase = 'initial';

  constructor({ network, film, seed = 1, observe, neighbor, observeNeighbor }: LinkOptions) {
    const { capacity, rtt_ms, queue_bytes, loss = 0, congestionControl = 'reno' } = network;
    const control = congestionControlNamed(congestionControl);
    const link = {
      bottleneck: new Bottleneck(capacity, queue_bytes),
      base_ms: rtt_ms,
      loss,
      random: seededRandom(seed),
    };
    const noted = observe && ((batch: Batch) => observe(batch, this.wire.getPhase(batch.connection)));
    this.#pool = new ConnectionPool({ ...link, observe: noted }, control, OPEN_AT_FIRST);
    this.wire = new RoundsWire({
      ...{
        clock: this.clock,
        pool: this.#pool,
        edge: new FilmEdge(new FilmServer(film)),
        congestionControl,
        rtt_ms,
      },
      phase: () => this.#phase,
    });
    if (neighbor !== undefined)
      this.neighbor = simulatedNeighbor(neighbor)(
        { ...link, observe: observeNeighbor },
        { film, rtt_ms, control },
      );
  }

  /** Records that playback has begun. */
  playbackStarted(): void {
    this.#phase = 'playing';
    this.neighbor?.playbackStarted(this.clock.now_ms);
  }

  /** Runs events until `isOver` returns true. Throws an Error if that takes longer than `latest_ms`. */
  run(isOver: () => boolean, latest_ms: number): void {
    while (!isOver()) this.#step(latest_ms);
  }

  #step(latest_ms: number): void {
    const sender = this.#pool.next;
    const sender_ms = sender?.next_ms ?? Infinity;
    const neighbor_ms = this.neighbor?.next_ms ?? Infinity;
    const page_ms = this.clock.next_ms;
    if (!(Math.min(sender_ms, neighbor_ms, page_ms) <= latest_ms))
      throw new Error(`the page is not done after ${(latest_ms / 1000).toFixed(0)} s`);
    if (this.neighbor && neighbor_ms < sender_ms && neighbor_ms <= page_ms) this.neighbor.send();
    else if (sender && sender_ms <= page_ms) {
      sender.sendBatch();
      this.wire.batchSent(sender);
    } else this.clock.step();
  }
}

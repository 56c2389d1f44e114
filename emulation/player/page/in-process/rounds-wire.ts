import type { Phase } from '../../../../src/decision.ts';
import type { Connection } from '../../../network/virtual/rounds/connection.ts';
import type { ConnectionPool } from '../../../network/virtual/rounds/pool.ts';
import { makeReceipt } from '../../../network/virtual/rounds/receipt.ts';
import type { Transfer } from '../../../network/virtual/rounds/transfer.ts';
import type { PageClock } from '../clocks/page-clock.ts';
import type { WireRequest, Listener, Wire } from '../network/wire.ts';
import type { FilmEdge } from './film-edge.ts';
import { HEADER_BYTES, ReportedResponse } from './heard-response.ts';

/** The processing time of browser and server per request, in addition to the network's time. */
const REQUEST_MS = 3;
/**
 * The time that Chromium needs to open a connection, in addition to the round trip. In four sessions on a busy machine
 * with a round trip of 20 ms, a request on a new connection was answered 26, 30, 34 and 42 ms after a simultaneous
 * request on an open connection. This constant is the lowest value minus the round trip.
 */
const OPENING_MS = 6;

export interface RoundsPath {
  readonly clock: PageClock;
  readonly pool: ConnectionPool;
  readonly edge: FilmEdge;
  readonly congestionControl: string;
  /** The round-trip time of the idle link. */
  readonly rtt_ms: number;
  /** Returns the session's current phase. */
  readonly phase: () => Phase;
}

/** A response in progress. */
interface Exchange {
  readonly transfer: Transfer;
  readonly response: ReportedResponse;
  readonly phase: Phase;
}

/** Sends requests over simulated connections to the project's edge. */
export class RoundsWire implements Wire {
  readonly #path: RoundsPath;
  readonly #exchanges = new Map<Connection, Exchange>();

  constructor(path: RoundsPath) {
    this.#path = path;
  }

  /** The phase in which the connection's current response was requested. */
  getPhase(connection: Connection): Phase | undefined {
    return this.#exchanges.get(connection)?.phase;
  }

  /** Called when a connection has sent a batch. */
  batchSent(connection: Connection): void {
    this.#exchanges.get(connection)?.response.update();
  }

  ask(asked: WireRequest, listener: Listener): () => void {
    const { clock, pool, rtt_ms, congestionControl } = this.#path;
    const { size_bytes, pace, body, head } = this.#path.edge.answer(asked);
    const { now_ms } = clock;
    const { connection, opens_ms } = pool.take(now_ms);
    const receipt = makeReceipt(connection, opens_ms || rtt_ms, pace, congestionControl);
    const opened_ms = opens_ms > 0 ? now_ms + opens_ms + OPENING_MS : now_ms;
    const sends_ms = opened_ms + REQUEST_MS + rtt_ms / 2;
    const transfer = connection.send(HEADER_BYTES + size_bytes, pace, sends_ms);
    const response = new ReportedResponse({
      ...{ clock, body, listener, arrival: transfer, head: head(receipt, opened_ms) },
      ended: () => {
        this.#exchanges.delete(connection);
        pool.release(connection);
      },
    });
    this.#exchanges.set(connection, { transfer, response, phase: this.#path.phase() });
    return () => {
      if (this.#exchanges.get(connection)?.transfer !== transfer) return;
      response.cancel();
      this.#exchanges.delete(connection);
      pool.close(connection, clock.now_ms);
    };
  }
}

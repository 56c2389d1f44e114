import type { Receipt } from '../../../src/wire/receipt.ts';
import type { Connection } from '../network/connection.ts';
import type { ConnectionPool } from '../network/pool.ts';
import { receiptOf } from './receipt.ts';
import type { Asked, Fetch, Wire } from './wire.ts';

/** What browser and server need of a request beside the network. */
export const REQUEST_MS = 3;
/** The headers of a response that says "not modified". */
const NOT_MODIFIED_BYTES = 300;

export interface SimulatedPath {
  readonly pool: ConnectionPool;
  readonly congestionControl: string;
  /** The round trip of the idle link. */
  readonly rtt_ms: number;
  /** Of a pace, the share that arrives as content. */
  readonly goodputOfPace: number;
}

/** Requests over simulated connections. */
export class SimulatedWire implements Wire {
  readonly #path: SimulatedPath;
  readonly #fetches = new WeakMap<Connection, Fetch>();

  constructor(path: SimulatedPath) {
    this.#path = path;
  }

  /** What a connection carries, or has carried last. */
  fetchOn(connection: Connection): Fetch | undefined {
    return this.#fetches.get(connection);
  }

  /** Of the initialization segments, which are fetched before the session. */
  get firstReceipt(): Receipt {
    const { pool, rtt_ms, congestionControl } = this.#path;
    return receiptOf(pool.latest, rtt_ms, null, congestionControl);
  }

  fetch({ size_bytes, pace_kbps, cached }: Asked, now_ms: number): Fetch {
    const { pool, congestionControl, rtt_ms, goodputOfPace } = this.#path;
    const { connection, opens_ms } = pool.take(now_ms);
    const sent_kbps = pace_kbps === null ? null : goodputOfPace * pace_kbps;
    const receipt = receiptOf(connection, opens_ms || rtt_ms, pace_kbps, congestionControl);
    const transfer = connection.send(
      cached ? NOT_MODIFIED_BYTES : size_bytes,
      sent_kbps,
      now_ms + opens_ms + REQUEST_MS + rtt_ms / 2,
    );
    const fetch: Fetch = {
      transfer,
      receipt,
      done(receiving_ms) {
        if (receiving_ms !== undefined) connection.delivery_kbps = (transfer.size_bytes * 8) / receiving_ms;
        pool.release(connection);
      },
      giveUp: (at_ms) => pool.close(connection, at_ms),
    };
    this.#fetches.set(connection, fetch);
    return fetch;
  }
}

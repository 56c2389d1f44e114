import type { Receipt } from '../../../../src/wire/receipt.ts';
import type { Connection } from '../../../network/virtual/rounds/connection.ts';
import type { ConnectionPool } from '../../../network/virtual/rounds/pool.ts';
import { makeReceipt } from '../../../network/virtual/rounds/receipt.ts';
import type { SegmentRequest, Fetch, Wire } from './wire.ts';

/** The processing time of browser and server per request, in addition to the network's time. */
export const REQUEST_MS = 3;
/** The headers of a 304 response ("not modified"). */
const NOT_MODIFIED_BYTES = 300;
/** The limit of batches for a forked response. */
const MOST_BATCHES = 100_000;

export interface SimulatedPath {
  readonly pool: ConnectionPool;
  readonly congestionControl: string;
  /** The round-trip time of the idle link. */
  readonly rtt_ms: number;
  /** The share of a pace that arrives as content. */
  readonly goodputOfPace: number;
  /**
   * The random numbers for losses in forks. If given, each paced request also returns how long it would have taken
   * without its pace: a copy of the network in its present state, with all transfers in progress, simulates this.
   */
  readonly forks?: (() => number) | undefined;
}

/** Sends requests over simulated connections. */
export class SimulatedWire implements Wire {
  readonly #path: SimulatedPath;
  readonly #fetches = new WeakMap<Connection, Fetch>();

  constructor(path: SimulatedPath) {
    this.#path = path;
  }

  /** The latest fetch on a connection. */
  fetchOn(connection: Connection): Fetch | undefined {
    return this.#fetches.get(connection);
  }

  /** The receipt of the initialization segments, which are fetched before the first segment. */
  get firstReceipt(): Receipt {
    const { pool, rtt_ms, congestionControl } = this.#path;
    return makeReceipt(pool.latest, rtt_ms, null, congestionControl);
  }

  /** The time that a response would take if no transfer were paced and nothing else were requested, ms. */
  #unpaced_ms(size_bytes: number, now_ms: number, random: () => number): number {
    const { rtt_ms } = this.#path;
    const pool = this.#path.pool.fork(random);
    const { connection, opens_ms } = pool.take(now_ms);
    const transfer = connection.send(size_bytes, null, now_ms + opens_ms + REQUEST_MS + rtt_ms / 2);
    for (let batches = 0; transfer.ends_ms === Infinity; batches++) {
      const sender = pool.next;
      // A safeguard, so that every fork ends even if a bug stops its progress.
      if (!sender || batches > MOST_BATCHES)
        throw new Error(`the fork at ${(now_ms / 1000).toFixed(3)} s does not end`);
      sender.sendBatch();
    }
    return transfer.ends_ms - now_ms;
  }

  fetch({ size_bytes, pace_kbps, cached }: SegmentRequest, now_ms: number): Fetch {
    const { pool, congestionControl, rtt_ms, goodputOfPace, forks } = this.#path;
    const unpaced_ms =
      forks && pace_kbps !== null && !cached ? this.#unpaced_ms(size_bytes, now_ms, forks) : undefined;
    const { connection, opens_ms } = pool.take(now_ms);
    const sent_kbps = pace_kbps === null ? null : goodputOfPace * pace_kbps;
    const receipt = makeReceipt(connection, opens_ms || rtt_ms, pace_kbps, congestionControl);
    const transfer = connection.send(
      cached ? NOT_MODIFIED_BYTES : size_bytes,
      sent_kbps,
      now_ms + opens_ms + REQUEST_MS + rtt_ms / 2,
    );
    const fetch: Fetch = {
      transfer,
      receipt,
      unpaced_ms,
      release: () => pool.release(connection),
      abort: (at_ms) => pool.close(connection, at_ms),
    };
    this.#fetches.set(connection, fetch);
    return fetch;
  }
}

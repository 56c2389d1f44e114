import { decidePace, paceLimits } from '../../../../edge/policy.ts';
import type { Phase } from '../../../../src/decision.ts';
import { printReceipt } from '../../../../src/wire/receipt.ts';
import type { Connection } from '../../../network/virtual/rounds/connection.ts';
import type { ConnectionPool } from '../../../network/virtual/rounds/pool.ts';
import { receiptOf } from '../../../network/virtual/rounds/receipt.ts';
import type { Transfer } from '../../../network/virtual/rounds/transfer.ts';
import type { PageClock } from '../clocks/page-clock.ts';
import type { WireRequest, Listener, Wire } from '../network/wire.ts';
import type { FilmServer, ServedFile } from './film-server.ts';

/** What browser and server need of a request beside the network. */
const REQUEST_MS = 3;
/**
 * The time that Chromium needs beside the round trip to open a connection. When two requests are made at one time at 20 ms, the
 * one over a new connection came 26, 30, 34 and 42 ms after the one over an open connection, in four sessions on a busy machine:
 * this is the least of them, less the round trip.
 */
const OPENING_MS = 6;
/** The headers of a response, with its receipt. */
const HEADER_BYTES = 600;
/** A page hears so often of what arrives. */
const ARRIVALS_MS = 50;
const OK = { status: 200, statusText: 'OK' };
const NOT_MODIFIED = { status: 304, statusText: 'Not Modified' };
const ABSENT = { status: 404, statusText: 'Not Found' };
const NOT_FOUND: ServedFile = { type: 'text/plain', size_bytes: 0, begins: new Uint8Array(0) };

export interface RoundsPath {
  readonly clock: PageClock;
  readonly pool: ConnectionPool;
  readonly server: FilmServer;
  readonly congestionControl: string;
  /** The round trip of the idle link. */
  readonly rtt_ms: number;
  /** In which phase the viewer is. */
  readonly phase: () => Phase;
}

/** A response under way. */
interface Exchange {
  readonly transfer: Transfer;
  readonly phase: Phase;
  /** The connection has sent something: when will the page hear of it? */
  sent(): void;
}

/** Requests over simulated connections, to an edge of ours that has the film. */
export class RoundsWire implements Wire {
  readonly #path: RoundsPath;
  readonly #limits = paceLimits();
  readonly #exchanges = new Map<Connection, Exchange>();

  constructor(path: RoundsPath) {
    this.#path = path;
  }

  /** The phase in which was asked for what a connection carries. */
  phaseOf(connection: Connection): Phase | undefined {
    return this.#exchanges.get(connection)?.phase;
  }

  /** Called when a connection has sent a batch. */
  sent(connection: Connection): void {
    this.#exchanges.get(connection)?.sent();
  }

  ask({ url, headers }: WireRequest, listener: Listener): () => void {
    const { clock, pool, server, rtt_ms, congestionControl } = this.#path;
    const file = server.get(new URL(url).pathname);
    const etag = file && `"${file.size_bytes}"`;
    const same = etag !== undefined && headers.get('if-none-match') === etag;
    const { begins, type } = file ?? NOT_FOUND;
    const size_bytes = same || !file ? 0 : file.size_bytes;
    const asked = { url, headers: { get: (name: string) => headers.get(name.toLowerCase()) ?? null } };
    const { pace, reason } = decidePace(asked, this.#limits);
    const { now_ms } = clock;
    const { connection, opens_ms } = pool.take(now_ms);
    const receipt = { ...receiptOf(connection, opens_ms || rtt_ms, pace, congestionControl), reason };
    const opened_ms = opens_ms > 0 ? now_ms + opens_ms + OPENING_MS : now_ms;
    const sends_ms = opened_ms + REQUEST_MS + rtt_ms / 2;
    const transfer = connection.send(HEADER_BYTES + size_bytes, pace, sends_ms);
    const head = {
      ...(same ? NOT_MODIFIED : file ? OK : ABSENT),
      headers: new Map([
        ['content-type', type],
        ['content-length', String(size_bytes)],
        ...(etag === undefined ? [] : [['etag', etag] as const]),
        ...Object.entries(printReceipt(receipt)).map(([name, value]) => [name.toLowerCase(), value] as const),
      ]),
      size_bytes,
      sent_ms: opened_ms,
    };
    const body = {
      write: (into: Uint8Array, from: number) => into.set(begins.subarray(from, from + into.length)),
    };
    const cancels: (() => void)[] = [];
    const at = (time_ms: number, action: () => void) => cancels.push(clock.at(time_ms, action));
    const arrived = () => Math.max(0, Math.floor(transfer.arrivedBy(clock.now_ms)) - HEADER_BYTES);
    let [begun, ends] = [false, false];
    let [heard, arrives_ms] = [0, 0];
    const arrive = (): void => {
      if (transfer.ends_ms <= clock.now_ms) return;
      const bytes = arrived();
      if (bytes > heard) listener.arrived((heard = bytes));
      at((arrives_ms += ARRIVALS_MS), arrive);
    };
    const end = (): void => {
      this.#exchanges.delete(connection);
      pool.release(connection);
      for (const cancel of cancels) cancel();
      listener.ended(size_bytes);
    };
    this.#exchanges.set(connection, {
      transfer,
      phase: this.#path.phase(),
      sent: () => {
        if (!begun && !Number.isNaN(transfer.first_ms)) {
          begun = true;
          arrives_ms = transfer.first_ms;
          at(transfer.first_ms, () => {
            listener.begins(head, body);
            arrive();
          });
        }
        if (!ends && transfer.ends_ms < Infinity) {
          ends = true;
          at(transfer.ends_ms, end);
        }
      },
    });
    return () => {
      if (this.#exchanges.get(connection)?.transfer !== transfer) return;
      for (const cancel of cancels) cancel();
      this.#exchanges.delete(connection);
      pool.close(connection, clock.now_ms);
    };
  }
}

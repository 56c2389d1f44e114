import { Connection } from '../../../network/virtual/rounds/connection.ts';
import { Reno } from '../../../network/virtual/rounds/congestion/reno.ts';
import type { Transfer } from '../../../network/virtual/rounds/transfer.ts';
import { BEGIN_AFTER_S, BIN_MS, tcpResult } from '../../neighbors/tcp/tcp-result.ts';
import type { NeighborPath, SimulatedNeighbor } from './neighbor.ts';

/** A size that no link can carry within a session. */
const ENDLESS_BYTES = 1e12;
/** Round trips from the start of the connection to the first data. */
const HANDSHAKE_ROUND_TRIPS = 1.5;

/** A bulk TCP Reno flow that never ends. */
export class SimulatedTcp implements SimulatedNeighbor {
  readonly #connection: Connection;
  readonly #base_ms: number;
  #begun_ms: number | null = null;
  #transfer: Transfer | undefined;

  constructor(path: NeighborPath) {
    this.#connection = new Connection('neighbor', new Reno(), path);
    this.#base_ms = path.base_ms;
  }

  get next_ms(): number {
    return this.#connection.next_ms;
  }

  playbackStarted(now_ms: number): void {
    this.#begun_ms = now_ms + BEGIN_AFTER_S * 1000;
    const sends_ms = this.#begun_ms + HANDSHAKE_ROUND_TRIPS * this.#base_ms;
    this.#transfer = this.#connection.send(ENDLESS_BYTES, null, sends_ms);
  }

  send(): void {
    this.#connection.sendBatch();
  }

  result(session: Parameters<SimulatedNeighbor['result']>[0]) {
    const begun_ms =
      this.#begun_ms !== null && this.#begun_ms < session.seconds * 1000 ? this.#begun_ms : null;
    return tcpResult({ begun_ms, received: this.#bins(session.seconds) }, (at_ms) => at_ms / 1000, session);
  }

  /** Bytes received in each bin of `BIN_MS` from the flow's start to the session's end. */
  #bins(seconds: number): number[] {
    const begun_ms = this.#begun_ms ?? Infinity;
    const count = Math.max(0, Math.ceil((seconds * 1000 - begun_ms) / BIN_MS));
    let before_bytes = 0;
    return Array.from({ length: count }, (_, index) => {
      const until_bytes = this.#transfer?.arrivedBy(begun_ms + (index + 1) * BIN_MS) ?? 0;
      const bytes = until_bytes - before_bytes;
      before_bytes = until_bytes;
      return bytes;
    });
  }
}

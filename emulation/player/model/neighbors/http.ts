import type { HttpExchange } from '../../neighbors/http/http-exchange.ts';
import { RESPONSE_BYTES } from '../../neighbors/http/response-bytes.ts';
import { httpResult } from '../../neighbors/http/http-result.ts';
import { Reno } from '../../../network/virtual/rounds/congestion/reno.ts';
import { Connection } from '../../../network/virtual/rounds/connection.ts';
import type { Transfer } from '../../../network/virtual/rounds/transfer.ts';
import type { NeighborPath, SimulatedNeighbor } from './neighbor.ts';

/** The processing time of client and server per request, in addition to the network's time, without a browser. */
const REQUEST_MS = 1;

/** A persistent connection that requests 3 MB as soon as the previous response is complete. */
export class SimulatedHttp implements SimulatedNeighbor {
  readonly #connection: Connection;
  readonly #half_ms: number;
  readonly #exchanges: HttpExchange[] = [];
  #issued_ms = NaN;
  #transfer: Transfer | undefined;

  constructor(path: NeighborPath) {
    this.#connection = new Connection('neighbor', new Reno(), path);
    this.#half_ms = path.base_ms / 2;
  }

  get next_ms(): number {
    return this.#connection.next_ms;
  }

  playbackStarted(now_ms: number): void {
    this.#ask(now_ms);
  }

  send(): void {
    this.#connection.sendBatch();
    const received_ms = this.#transfer?.ends_ms ?? Infinity;
    if (received_ms === Infinity) return;
    this.#exchanges.push({ issued_ms: this.#issued_ms, received_ms });
    this.#ask(received_ms);
  }

  result(session: Parameters<SimulatedNeighbor['result']>[0]) {
    return httpResult(this.#exchanges, (at_ms) => at_ms / 1000, session);
  }

  #ask(now_ms: number): void {
    this.#issued_ms = now_ms;
    this.#transfer = this.#connection.send(RESPONSE_BYTES, null, now_ms + REQUEST_MS + this.#half_ms);
  }
}

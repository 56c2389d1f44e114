import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { SocketOptions } from './socket-options.ts';
import type { TcpInfo } from './tcp-info.ts';

/** Long enough for any round trip with a few retransmissions; a client that answers no more is not waited for. */
const PATIENCE_MS = 10_000;
const LONGEST_PAUSE_MS = 20;

/** A client's connection: its name, the order of what is served on it, and what its TCP knows. */
export class Connection {
  readonly #inFlight = new Set<AbortController>();
  #lastTurn: Promise<unknown> = Promise.resolve();
  /** As the client said that it sends no more: by then it has acknowledged what it got. */
  #farewell: TcpInfo | null = null;

  constructor(
    readonly socket: Socket,
    readonly id: string,
    readonly kernel: SocketOptions | null,
  ) {
    socket.prependOnceListener('end', () => (this.#farewell = kernel?.readTcpInfo(socket) ?? null));
    socket.once('close', () => {
      for (const request of this.#inFlight) request.abort();
    });
  }

  /**
   * Node hands over pipelined requests at once, while the first is still being answered; a pace set for the
   * second would hit the first. So each waits for its turn. `gone` tells that the client has vanished.
   */
  inTurn<Result>(serve: (gone: AbortSignal) => Promise<Result>): Promise<Result> {
    const request = new AbortController();
    this.#inFlight.add(request);
    if (this.socket.destroyed) request.abort();
    const turn = this.#lastTurn
      .then(() => serve(request.signal))
      .finally(() => this.#inFlight.delete(request));
    this.#lastTurn = turn.catch(() => undefined);
    return turn;
  }

  /** The present state, or the last one known of a closed connection. */
  tcpInfo(): TcpInfo | null {
    return this.kernel?.readTcpInfo(this.socket) ?? this.#farewell;
  }

  /**
   * Waits until the client's kernel has acknowledged all that was written, since Node's own events fire when
   * its data are in the send buffer, which at a slow pace is long before they are sent. False when the
   * connection ended before, or when nothing more was acknowledged for a while.
   */
  async delivered(): Promise<boolean> {
    const written = this.socket.bytesWritten;
    let last = this.tcpInfo();
    let progress = performance.now();
    for (let pause = 1; last && last.bytes_acked < written; pause = Math.min(pause * 2, LONGEST_PAUSE_MS)) {
      if (this.socket.destroyed) return false;
      await sleep(pause, undefined, { ref: false });
      const now = this.tcpInfo();
      if (now && now.bytes_acked > last.bytes_acked) progress = performance.now();
      else if (performance.now() - progress > PATIENCE_MS) return false;
      last = now;
    }
    // Where TCP tells nothing, a connection that did not break has delivered.
    return last !== null || this.socket.errored === null;
  }
}

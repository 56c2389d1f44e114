import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import { openSocketOptions } from '../../edge/local/kernel/socket-options.ts';
import { monotonic_ms } from '../../emulation/ground/clock/monotonic.ts';
import { findArm, type Arm } from '../arms.ts';
import type { TrafficRow } from './measures.ts';

/**
 * The diagnostics channel on which Node publishes every request that an HTTP/1.1 server of this process begins to
 * serve.
 */
const REQUEST_START = 'http.server.request.start';

/** The length of the bins in which the page draws the traffic. */
export const TRAFFIC_EVERY_MS = 100;

export type ReceivedBytes = (socket: Socket) => number;

/** Measures how many bytes each arm's player has received on the connections of this process's HTTP servers. */
export class TrafficMeter {
  readonly #received: ReceivedBytes;
  readonly #connections = new Map<Socket, { arm: Arm; counted: number }>();
  #bytes: Record<Arm, number> = { stock: 0, sammy: 0 };
  #from_ms: number;

  constructor(received: ReceivedBytes, now_ms: number) {
    this.#received = received;
    this.#from_ms = now_ms;
  }

  /** Records that the next bytes on a connection answer a request for this path. */
  begin(socket: Socket, path: string): void {
    const arm = findArm(path);
    this.#count(socket);
    if (arm === null) this.#connections.delete(socket);
    else this.#connections.set(socket, { arm, counted: this.#received(socket) });
  }

  /** Returns the bytes received since the previous row. */
  take(now_ms: number): TrafficRow {
    for (const socket of this.#connections.keys()) {
      this.#count(socket);
      if (socket.destroyed) this.#connections.delete(socket);
    }
    const row = { from_ms: this.#from_ms, to_ms: now_ms, bytes: this.#bytes };
    [this.#bytes, this.#from_ms] = [{ stock: 0, sammy: 0 }, now_ms];
    return row;
  }

  #count(socket: Socket): void {
    const connection = this.#connections.get(socket);
    if (!connection) return;
    const received = this.#received(socket);
    // A closed connection has no statistics.
    if (received > connection.counted) {
      this.#bytes[connection.arm] += received - connection.counted;
      connection.counted = received;
    }
  }
}

/**
 * Returns a function that reads how many bytes a connection's client has received. On Linux, these are the bytes that
 * the client's kernel has acknowledged; on other systems, the bytes that this machine's kernel has accepted.
 */
async function receivedBytes(): Promise<ReceivedBytes> {
  const kernel = await openSocketOptions();
  return (socket) =>
    ('unavailable' in kernel ? undefined : kernel.readTcpInfo(socket)?.bytes_acked) ??
    socket.bytesWritten - socket.writableLength;
}

/** Calls `add` with a row every `every_ms`, until the returned function is called. */
export async function measureTraffic(every_ms: number, add: (row: TrafficRow) => void): Promise<() => void> {
  const meter = new TrafficMeter(await receivedBytes(), monotonic_ms());
  const onRequest = (message: unknown): void => {
    const { request } = message as { request: IncomingMessage };
    meter.begin(request.socket, request.url ?? '');
  };
  subscribe(REQUEST_START, onRequest);
  const timer = setInterval(() => add(meter.take(monotonic_ms())), every_ms);
  return () => {
    clearInterval(timer);
    unsubscribe(REQUEST_START, onRequest);
  };
}

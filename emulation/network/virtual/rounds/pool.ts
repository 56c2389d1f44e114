import type { CongestionControl } from './congestion/congestion-control.ts';
import { Connection, type Path } from './connection.ts';

/**
 * The number of connections that are open at the start: a browser fetches the manifest and the initialization segments
 * of video and audio before any media segment.
 */
const OPEN_AT_FIRST = 2;
/**
 * The packets that one of those connections has carried before the session, so that its window has grown from 10 to 26
 * packets, as in the lab.
 */
const CARRIED_PACKETS = 16;

/** The connections of a browser to one server (HTTP/1.1). The most recently used one is reused first. */
export class ConnectionPool {
  readonly #path: Path;
  readonly #control: () => CongestionControl;
  /** The idle connections in order of use; the last one was used most recently. */
  readonly #idle: Connection[] = [];
  readonly #busy: Connection[] = [];
  #count = 0;

  /** `open` is the number of connections at the start. */
  constructor(path: Path, control: () => CongestionControl, open = OPEN_AT_FIRST) {
    this.#path = path;
    this.#control = control;
    for (let index = 0; index < open; index++) this.#idle.push(this.#open());
    this.#idle.at(-1)?.warm(CARRIED_PACKETS);
  }

  /**
   * Copies the network in its present state, with all transfers in progress, for counterfactual simulations. The copy
   * has no observer, and draws random losses from another sequence.
   */
  fork(random: () => number): ConnectionPool {
    const path = { ...this.#path, bottleneck: this.#path.bottleneck.copy(), random, observe: undefined };
    const fork = new ConnectionPool(path, this.#control);
    fork.#idle.splice(0, Infinity, ...this.#idle.map((connection) => connection.copy(path)));
    fork.#busy.push(...this.#busy.map((connection) => connection.copy(path)));
    fork.#count = this.#count;
    return fork;
  }

  /**
   * Takes a connection for a request, and returns how long it takes to open, including the server's answer, which waits
   * in the queue like every packet.
   */
  take(now_ms: number): { readonly connection: Connection; readonly opens_ms: number } {
    const { base_ms, bottleneck } = this.#path;
    const idle = this.#idle.pop();
    const connection = idle ?? this.#open();
    this.#busy.push(connection);
    return { connection, opens_ms: idle ? 0 : base_ms + bottleneck.delay(now_ms + base_ms / 2) };
  }

  /** The most recently used idle connection, or else a new one. */
  get latest(): Connection {
    return this.#idle.at(-1) ?? this.#open();
  }

  release(connection: Connection): void {
    this.#busy.splice(this.#busy.indexOf(connection), 1);
    this.#idle.push(connection);
  }

  close(connection: Connection, now_ms: number): void {
    connection.abort(now_ms);
    this.#busy.splice(this.#busy.indexOf(connection), 1);
  }

  /** Ends all responses in flight, as when a page is closed. */
  closeAll(now_ms: number): void {
    for (const connection of this.#busy.splice(0)) connection.abort(now_ms);
  }

  /** The connection that sends next; undefined if all connections are idle. */
  get next(): Connection | undefined {
    let next: Connection | undefined;
    for (const connection of this.#busy)
      if (connection.next_ms < (next?.next_ms ?? Infinity)) next = connection;
    return next;
  }

  #open(): Connection {
    return new Connection(`simulated-${++this.#count}`, this.#control(), this.#path);
  }
}

import type { Server as HttpServer } from 'node:http';
import type { Http2SecureServer, ServerHttp2Session } from 'node:http2';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TLSSocket } from 'node:tls';
import { bytes, milliseconds, type Milliseconds } from '../../../src/units.ts';
import type { Admission } from './admission.ts';
import { Connection } from './connection.ts';
import type { HttpRequest } from '../http-server.ts';
import type { EdgeStats } from '../response-event.ts';
import type { SocketOptions } from '../kernel/socket-options.ts';

/** Sent data unacknowledged, or a window kept shut, for so long: the client is taken for gone. */
export const CLIENT_GONE_MS = milliseconds(120_000);

/** Of a socket that responses share: one that begins waits for no more than this of the others. */
const SHARED_UNSENT_BYTES = bytes(128 * 1024);

/** How often a server that drains looks for connections that have become idle. */
const DRAIN_STEP_MS = 20;

/** How often connections are looked for whose clients are gone without Node's notice. */
const SWEEP_MS = 3000;

/** Asks a silent client's kernel whether it is still there. */
const PROBE_AFTER_MS = milliseconds(30_000);

/** The connections of a server, from being accepted until they are closed. */
export class Connections {
  readonly #bySocket = new Map<Socket, Connection>();
  readonly #sessions = new Set<ServerHttp2Session>();
  // Unlike a bare number, it is not mistaken for one of an earlier edge at the same address.
  readonly #run = Math.floor(Math.random() * 36 ** 4).toString(36);
  #count = 0;
  /** Those whose client had closed its side when it was last looked at, and that were not closed then. */
  #closing: ReadonlySet<Connection> = new Set();

  constructor(
    readonly kernel: SocketOptions | null,
    readonly admission: Admission,
    readonly stats: EdgeStats,
    readonly congestionControls: ReadonlySet<string>,
    readonly longestPaced?: Milliseconds,
  ) {}

  watch(server: HttpServer | Http2SecureServer): void {
    const sweep = setInterval(() => this.#endDead(), SWEEP_MS).unref();
    server.once('close', () => clearInterval(sweep));
    server.on('connection', (socket: Socket) => {
      if (!this.#accept(socket)) {
        this.stats.refusedConnections += 1;
        socket.on('error', () => undefined);
        socket.resetAndDestroy();
      } else if (!isSecure(server)) this.#speaksHttp1(socket);
    });
    if (!isSecure(server)) return;
    server.on('session', (session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
    });
    server.on('secureConnection', (socket: TLSSocket) => {
      if (socket.alpnProtocol !== 'h2') this.#speaksHttp1(socket);
      else this.kernel?.setUnsentLimit(tcpSocketOf(socket), SHARED_UNSENT_BYTES);
    });
  }

  /** The one that a request came on; none when it is closed. */
  of({ socket }: HttpRequest): Connection | undefined {
    return this.#bySocket.get(tcpSocketOf(socket));
  }

  [Symbol.iterator](): IterableIterator<Connection> {
    return this.#bySocket.values();
  }

  /** Closes each connection once its client has what it asked for; those that `patience` does not suffice for stay open. */
  async drain(patience: Milliseconds): Promise<void> {
    // No further streams; those that are there go on. Closed, a session would not wait until its client has the last one.
    for (const session of this.#sessions) session.goaway();
    const deadline = performance.now() + patience;
    while (this.#bySocket.size > 0 && performance.now() < deadline) {
      for (const connection of this.#bySocket.values()) if (connection.isIdle) connection.end();
      await sleep(DRAIN_STEP_MS);
    }
  }

  /**
   * Node notices that a client is gone only where it reads or writes. It does neither for an HTTP/2 session whose client
   * has broken the protocol (Node 20 and 22), so that the descriptor, and a place among the connections of an address,
   * would be lost for minutes.
   */
  #endDead(): void {
    const closing = new Set<Connection>();
    for (const connection of this.#bySocket.values()) {
      const state = this.kernel?.clientState(connection.socket);
      // An HTTP/1.1 client may close its side and wait for its answers.
      const isLeaving = state === 'closing' && !connection.isHttp1;
      if (state === 'gone' || (isLeaving && this.#closing.has(connection))) connection.end();
      else if (isLeaving) closing.add(connection);
    }
    this.#closing = closing;
  }

  #accept(socket: Socket): boolean {
    // Gone before it was looked at.
    const { remoteAddress: address } = socket;
    if (address === undefined || !this.admission.admit(address)) return false;
    this.#count += 1;
    this.stats.connections += 1;
    const connection = new Connection(
      socket,
      `${this.#run}-${this.#count}`,
      this.kernel,
      this.congestionControls,
      this.longestPaced,
    );
    this.#bySocket.set(socket, connection);
    socket.once('close', () => {
      this.#bySocket.delete(socket);
      this.stats.connections -= 1;
      this.admission.leave(address);
    });
    socket.setKeepAlive(true, PROBE_AFTER_MS);
    this.kernel?.setUserTimeout(socket, CLIENT_GONE_MS);
    return true;
  }

  #speaksHttp1(socket: Socket): void {
    this.#bySocket.get(tcpSocketOf(socket))?.speaksHttp1(socket);
  }
}

const isSecure = (server: HttpServer | Http2SecureServer): server is Http2SecureServer =>
  'updateSettings' in server;

/** TCP's own socket: Node shows the one below TLS nowhere but here, also through the stand-in that HTTP/2 gives out. */
const tcpSocketOf = (socket: Socket | HttpRequest['socket']): Socket =>
  'encrypted' in socket ? (socket as unknown as { _parent: Socket })._parent : socket;

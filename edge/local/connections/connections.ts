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

/** A client counts as gone if it acknowledges no data, or keeps its window closed, for this long. */
export const CLIENT_GONE_MS = milliseconds(120_000);

/**
 * The limit of unsent bytes in the kernel for a socket that responses share. A new response waits behind at most this
 * many bytes.
 */
const SHARED_UNSENT_BYTES = bytes(128 * 1024);

/** The interval at which a draining server looks for idle connections. */
const DRAIN_STEP_MS = 20;

/** The interval at which the server looks for disconnected clients that Node has not noticed. */
const SWEEP_MS = 3000;

/** The idle time after which the kernel sends TCP keep-alive probes to a client. */
const PROBE_AFTER_MS = milliseconds(30_000);

/** The connections of a server, from being accepted until they are closed. */
export class Connections {
  readonly #bySocket = new Map<Socket, Connection>();
  readonly #sessions = new Set<ServerHttp2Session>();
  // A random prefix of connection ids, so that they differ from the ids of an earlier edge at this address.
  readonly #run = Math.floor(Math.random() * 36 ** 4).toString(36);
  #count = 0;
  /**
   * The connections whose client had closed its side at the last check. They are ended if that is still so at the next
   * check.
   */
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
    // Take Node's own listener off, because it would begin TLS with refused connections, too.
    const begin = isSecure(server)
      ? takeListener(server, 'connection')
      : (socket: Socket) => this.#speaksHttp1(socket);
    server.on('connection', (socket: Socket) => {
      // An undefined address means that the client reset the connection before it was accepted. Do not count it as
      // refused.
      if (socket.remoteAddress === undefined) {
        socket.on('error', () => undefined);
        socket.destroy();
        return;
      }
      if (this.#accept(socket, socket.remoteAddress)) {
        begin(socket);
        return;
      }
      this.stats.refusedConnections += 1;
      socket.on('error', () => undefined);
      socket.resetAndDestroy();
    });
    if (!isSecure(server)) return;
    server.on('session', (session) => {
      this.#sessions.add(session);
      session.once('close', () => this.#sessions.delete(session));
    });
    const answer = takeListener(server, 'stream');
    server.on('stream', (stream, ...headers) => {
      const connection = stream.session && this.#bySocket.get(getTcpSocket(stream.session.socket));
      connection?.whenItsTurn(stream, () => answer(stream, ...headers));
    });
    server.on('secureConnection', (socket: TLSSocket) => {
      if (socket.alpnProtocol !== 'h2') this.#speaksHttp1(socket);
      else this.kernel?.setUnsentLimit(getTcpSocket(socket), SHARED_UNSENT_BYTES);
    });
  }

  /** Returns the connection of a request; undefined if it is closed. */
  of({ socket }: HttpRequest): Connection | undefined {
    return this.#bySocket.get(getTcpSocket(socket));
  }

  [Symbol.iterator](): IterableIterator<Connection> {
    return this.#bySocket.values();
  }

  /** Closes each connection once it is idle; connections that are still busy after `patience` stay open. */
  async drain(patience: Milliseconds): Promise<void> {
    // Send GOAWAY, with which open streams continue but no new ones begin. close() would not wait until the client has
    // received the last response.
    for (const session of this.#sessions) session.goaway();
    const deadline = performance.now() + patience;
    while (this.#bySocket.size > 0 && performance.now() < deadline) {
      for (const connection of this.#bySocket.values()) if (connection.isIdle) connection.end();
      await sleep(DRAIN_STEP_MS);
    }
  }

  /**
   * Ends connections whose client is gone. Needed because Node notices a disconnected client only when it reads or
   * writes, and it does neither after an HTTP/2 client has violated the protocol (Node 20 and 22). The connection would
   * occupy a descriptor, and count against the limit of its address, for minutes.
   */
  #endDead(): void {
    const closing = new Set<Connection>();
    for (const connection of this.#bySocket.values()) {
      const state = this.kernel?.clientState(connection.socket);
      // Exclude HTTP/1.1, where a client may close its sending side and still wait for responses.
      const isLeaving = state === 'closing' && !connection.isHttp1;
      if (state === 'gone' || (isLeaving && this.#closing.has(connection))) connection.end();
      else if (isLeaving) closing.add(connection);
    }
    this.#closing = closing;
  }

  #accept(socket: Socket, address: string): boolean {
    if (!this.admission.admit(address)) return false;
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
    this.#bySocket.get(getTcpSocket(socket))?.speaksHttp1(socket);
  }
}

/** Removes Node's own listener of an event from a new server, and returns the listener. */
function takeListener(server: Http2SecureServer, event: string): (...args: unknown[]) => void {
  const [listener] = server.listeners(event) as ((...args: unknown[]) => void)[];
  if (!listener) throw new Error(`Node's server does not listen to '${event}'`);
  server.removeListener(event, listener);
  return listener.bind(server);
}

const isSecure = (server: HttpServer | Http2SecureServer): server is Http2SecureServer =>
  'updateSettings' in server;

/** Returns the TCP socket. Below a TLS socket, or the proxy object of HTTP/2, it is available only as `_parent`. */
const getTcpSocket = (socket: Socket | HttpRequest['socket']): Socket =>
  'encrypted' in socket ? (socket as unknown as { _parent: Socket })._parent : socket;

import cluster from 'node:cluster';
import { once } from 'node:events';
import { createServer, Server } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { milliseconds, type Milliseconds } from '../../src/units.ts';
import type { Handler } from '../handler.ts';
import { Admission, MAX_CONNECTIONS, MAX_CONNECTIONS_PER_ADDRESS } from './connections/admission.ts';
import type { PaceChanges } from './changes/pace-changes.ts';
import { Connections } from './connections/connections.ts';
import { createHttpServer, type Certificate } from './http-server.ts';
import { listen, urlHost } from './listen.ts';
import type { LookUpAs } from './networks/as-table.ts';
import { Responder } from './responder.ts';
import { noStats, type EdgeStats, type ResponseEvent } from './response-event.ts';
import { congestionControls, openSocketOptions, type SocketOptions } from './kernel/socket-options.ts';
import { congestionControlError } from './start-errors.ts';

export type { AppliedPace, AppliedReason, EdgeStats, ResponseEvent } from './response-event.ts';

/** The time within which a client must accept 256 kB: 2,097 kbit / 120 s = 17.5 kbit/s, less than any audio needs. */
export const CLIENT_PATIENCE_MS = milliseconds(120_000);

/**
 * The maximum length of the kernel's accept queue. It is long, because Node accepts one connection per turn of the
 * event loop, and the kernel drops further SYNs, which clients resend only a second later. The kernel limits it to
 * net.core.somaxconn, 4096 by default.
 */
const BACKLOG = 4096;

/**
 * The maximum time to count and report the responses that a closing edge aborts. Thousands of responses take a second.
 */
const SETTLING_MS = 3000;

export interface EdgeOptions {
  /**
   * Usually the result of `createHandler`, possibly behind the program's own routes. A response without a verdict is
   * not paced.
   */
  readonly handler: Handler;
  /** The port to listen on. 0, the default, selects a free port. */
  readonly port?: number;
  readonly host?: string;
  /**
   * With a certificate, the edge serves HTTP/2 and HTTP/1.1 over TLS; without a certificate, HTTP/1.1 without
   * encryption.
   */
  readonly tls?: Certificate;
  /** The congestion control of responses whose verdict has none. By default, the kernel's default. */
  readonly congestionControl?: string;
  /**
   * Further congestion controls that verdicts may name. Starting fails if the machine does not have or permit any of
   * them.
   */
  readonly furtherCongestionControls?: readonly string[];
  /** The time within which a client must accept 256 kB. */
  readonly clientPatience?: Milliseconds;
  /** The longest time for which a response is paced. After that, it continues unpaced. */
  readonly longestPaced?: Milliseconds;
  /** The maximum number of open connections. Further connections are refused. */
  readonly maxConnections?: number;
  /**
   * The maximum number of open connections from one address. Behind a proxy or an address translator, set it to
   * `maxConnections`.
   */
  readonly maxConnectionsPerAddress?: number;
  /** Looks up the autonomous system of a client's address, for experiments with clusters by autonomous system. */
  readonly asOf?: LookUpAs;
  /** The responses in flight whose pace their clients may change. By default, changes are not possible. */
  readonly changes?: PaceChanges;
  /** Called once per response of the edge's handler, when the client has received everything or is gone. */
  readonly onResponse?: (event: ResponseEvent) => void;
  /** Called with one-line warnings for the operator. By default, they are written to stderr. */
  readonly onWarning?: (line: string) => void;
}

export interface Edge {
  readonly port: number;
  readonly url: string;
  /** The reason why this machine cannot pace; null if pacing works. */
  readonly cannotPace: string | null;
  /** The live counters. */
  readonly stats: Readonly<EdgeStats>;
  /** Uses another certificate for future connections. Does nothing for a server without TLS. */
  useCertificate(certificate: Certificate): void;
  /**
   * Stops accepting connections and requests. Ends when the clients have received their responses, or after `patience`.
   */
  drain(patience: Milliseconds): Promise<void>;
  /** Ends immediately, and aborts the responses in flight. */
  close(): Promise<void>;
}

/** Serves a handler over HTTP/1.1 or HTTP/2 and applies its verdicts to the sockets. Throws an Error if it cannot start. */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  const { handler, port = 0, host = '127.0.0.1', asOf, onResponse } = options;
  const { clientPatience = CLIENT_PATIENCE_MS } = options;
  const { maxConnections = MAX_CONNECTIONS, maxConnectionsPerAddress = MAX_CONNECTIONS_PER_ADDRESS } =
    options;
  const warn = options.onWarning ?? ((line: string) => console.error(line));
  const opened = await openSocketOptions();
  const kernel = 'unavailable' in opened ? null : opened;
  const cannotPace = 'unavailable' in opened ? opened.unavailable : null;

  const stats = noStats();
  const known = new Set((await congestionControls()).available);
  const responder = new Responder({
    handler,
    clientPatience,
    stats,
    warn,
    ...(asOf && { asOf }),
    ...(onResponse && { onResponse }),
    ...(options.changes && { changes: options.changes }),
  });
  const admission = new Admission({ connections: maxConnections, perAddress: maxConnectionsPerAddress });
  const connections = new Connections(kernel, admission, stats, known, options.longestPaced);
  const server = await createHttpServer(options.tls, (message, response) => {
    const connection = connections.of(message);
    if (connection) responder.answer(connection, message, response);
    else response.destroy();
  });
  connections.watch(server);

  const address = await listen(server, { port, host, backlog: BACKLOG });
  try {
    await setCongestionControls(kernel, server, options);
  } catch (error) {
    server.close();
    throw error;
  }
  for (const name of options.furtherCongestionControls ?? []) known.add(name);
  if (cannotPace !== null) warn(`this platform cannot pace (${cannotPace}): everything is served unpaced`);

  let closed: Promise<unknown> | undefined;
  const stopListening = (): Promise<unknown> => {
    if (closed === undefined) {
      closed = once(server, 'close');
      // Do not call the HTTP server's own `close`, which would also close connections whose last response is still in
      // the kernel's buffer.
      Server.prototype.close.call(server);
    }
    return closed;
  };
  const close = async (): Promise<void> => {
    for (const connection of connections) connection.end();
    await stopListening();
    // Wait until the aborted responses are counted and reported, unless a handler ignores its abort signal. The timer
    // keeps the process alive during this wait.
    const patience = new AbortController();
    const timeUp = sleep(SETTLING_MS, undefined, { signal: patience.signal }).catch(() => undefined);
    await Promise.race([responder.settled(), timeUp]);
    patience.abort();
  };
  return {
    port: address.port,
    url: `${options.tls ? 'https' : 'http'}://${urlHost(address)}:${address.port}`,
    cannotPace,
    stats,
    useCertificate({ cert, key }) {
      if ('setSecureContext' in server) server.setSecureContext({ cert, key });
    },
    async drain(patience) {
      responder.isDraining = true;
      void stopListening();
      await connections.drain(patience);
      await close();
    },
    close,
  };
}

/** Sets the server's congestion control on the listening socket, after trying the further congestion controls on this socket. */
async function setCongestionControls(
  kernel: SocketOptions | null,
  server: Server,
  { congestionControl, furtherCongestionControls = [] }: EdgeOptions,
): Promise<void> {
  if (congestionControl === undefined && furtherCongestionControls.length === 0) return;
  // A worker of node:cluster has no listening socket, so it tries the congestion controls on a separate socket, and
  // sets its own on each connection.
  const listening = cluster.isWorker ? await listenApart() : server;
  try {
    const own = congestionControl ?? kernel?.congestionControl(listening);
    for (const name of [...furtherCongestionControls, ...(own ? [own] : [])]) {
      const refused = kernel ? kernel.setCongestionControl(listening, name) : 'failed';
      if (refused !== null) throw await congestionControlError(name, refused);
    }
    if (own && listening !== server) {
      server.prependListener('connection', (socket) => kernel?.setCongestionControl(socket, own));
    }
  } finally {
    if (listening !== server) listening.close();
  }
}

/** Opens a listening socket in this process, on which congestion controls can be tried. */
async function listenApart(): Promise<Server> {
  const server = createServer().listen({ port: 0, host: '127.0.0.1', exclusive: true });
  await once(server, 'listening');
  return server;
}

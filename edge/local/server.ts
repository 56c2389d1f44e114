import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { bytes, milliseconds, type Bytes, type Kbps, type Milliseconds } from '../../src/units.ts';
import type { Handler } from '../handler.ts';
import { takeVerdict } from '../internal-headers.ts';
import { plainResponse } from '../origin.ts';
import type { PaceReason, PaceVerdict } from '../policy.ts';
import { addReceipt } from './add-receipt.ts';
import { Connection } from './connection.ts';
import { nodeRequest } from './node-request.ts';
import { sendBody } from './send-body.ts';
import { congestionControls, openSocketOptions } from './socket-options.ts';
import { congestionControlError, lineOf, listenError } from './start-errors.ts';
import type { TcpInfo } from './tcp-info.ts';

/**
 * How long an idle connection is kept. A player with a full buffer of 240 s may pause for some tens of
 * seconds between segments, and a new connection would cost it a slow start.
 */
export const KEEP_ALIVE_MS = milliseconds(120_000);

/** Sent data unacknowledged, or a window kept shut, for so long: the client is taken for gone. */
export const CLIENT_GONE_MS = milliseconds(120_000);

/** Room for CMCD that is absurdly long, which is to be served, not answered with 431. */
const MAX_HEADER_BYTES = 256 * 1024;

export interface EdgeOptions {
  /** Usually createHandler's, alone or behind the caller's own routes; what carries no verdict is served unpaced. */
  readonly handler: Handler;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  readonly host?: string;
  /** For every connection; the kernel's default when not given. */
  readonly congestionControl?: string;
  /** Lets a request choose it for its connection with `?cc=NAME`, which the handler does not get to see. */
  readonly allowClientCongestionControl?: boolean;
  /** Called once for each response of the edge's handler, when the client has it or is gone. */
  readonly onResponse?: (event: ResponseEvent) => void;
  /** One line for the operator; stderr when not given. */
  readonly onWarning?: (line: string) => void;
}

export type AppliedReason = PaceReason | 'platform-cannot-pace';

export interface AppliedPace {
  readonly pace: Kbps | null;
  readonly reason: AppliedReason;
}

export interface ResponseEvent {
  readonly method: string;
  /** Path and query as asked, with CMCD. */
  readonly url: string;
  readonly status: number;
  readonly asked_kbps: Kbps | null;
  readonly pace_kbps: Kbps | null;
  readonly reason: AppliedReason;
  /** Of the body, handed to the kernel. */
  readonly bytes: Bytes;
  /** From the request's arrival, or its turn when pipelined, until the client's kernel has acknowledged the last byte. */
  readonly duration_ms: Milliseconds;
  /** False when the client vanished or the body failed. */
  readonly complete: boolean;
  readonly connection: string;
  /** As the last byte was acknowledged, or as the connection was last seen; null where the platform tells nothing. */
  readonly tcp: TcpInfo | null;
}

export interface EdgeStats {
  /** Connections open now. */
  connections: number;
  responses: number;
  bytes: number;
  incomplete: number;
  /** Responses by the reason of their pace. */
  readonly reasons: Partial<Record<AppliedReason, number>>;
  /** Requests for a congestion control that this machine does not have. */
  refusedCongestionControls: number;
}

export interface Edge {
  readonly port: number;
  readonly url: string;
  /** Why this machine cannot pace; null when it can. */
  readonly cannotPace: string | null;
  /** The live counters. */
  readonly stats: Readonly<EdgeStats>;
  /** Ends at once, with whatever is in flight. */
  close(): Promise<void>;
}

/** Serves a handler over HTTP/1.1 and applies its verdicts to the sockets. Throws an Error for what cannot be had. */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  const { handler, port = 0, host = '127.0.0.1', onResponse } = options;
  const warn = options.onWarning ?? ((line: string) => console.error(line));
  const opened = await openSocketOptions();
  const kernel = 'unavailable' in opened ? null : opened;
  const cannotPace = 'unavailable' in opened ? opened.unavailable : null;
  const { available } = await congestionControls();

  const stats: EdgeStats = {
    connections: 0,
    responses: 0,
    bytes: 0,
    incomplete: 0,
    reasons: {},
    refusedCongestionControls: 0,
  };
  const connections = new Map<Socket, Connection>();
  const settling = new Set<Promise<void>>();

  /** One response, from its request to the last byte handed to the kernel. */
  async function serve(
    connection: Connection,
    message: IncomingMessage,
    response: ServerResponse,
    gone: AbortSignal,
  ): Promise<Served | null> {
    const arrived = performance.now();
    const answer = await ask(message, gone);
    const headers = new Headers(answer.headers);
    const verdict = takeVerdict(headers);
    // Before the first byte of every response, so that no pace outlives its request.
    const applied = applyPace(connection, verdict);
    if (verdict) addReceipt(headers, connection, applied);
    response.statusCode = answer.status;
    response.setHeaders(headers);
    const sent = await sendBody(answer.body, response, gone);
    return verdict && { arrived, status: answer.status, verdict, applied, sent };
  }

  /** Waits until the client has the response, or is gone, then counts and reports it. */
  async function settle(connection: Connection, message: IncomingMessage, served: Served): Promise<void> {
    const complete = (await connection.delivered()) && served.sent.complete;
    const { pace, reason } = served.applied;
    stats.responses += 1;
    stats.bytes += served.sent.bytes;
    stats.incomplete += complete ? 0 : 1;
    stats.reasons[reason] = (stats.reasons[reason] ?? 0) + 1;
    onResponse?.({
      method: message.method ?? '',
      url: message.url ?? '',
      status: served.status,
      asked_kbps: served.verdict.asked,
      pace_kbps: pace,
      reason,
      bytes: bytes(served.sent.bytes),
      duration_ms: milliseconds(performance.now() - served.arrived),
      complete,
      connection: connection.id,
      tcp: connection.tcpInfo(),
    });
  }

  /** The handler's answer; its mistakes and those of the request end here. */
  async function ask(message: IncomingMessage, gone: AbortSignal): Promise<Response> {
    let request: Request;
    try {
      if (options.allowClientCongestionControl) chooseCongestionControl(message);
      request = nodeRequest(message, gone);
    } catch (error) {
      return plainResponse(400, `bad request: ${lineOf(error)}`);
    }
    try {
      return await handler(request);
    } catch (error) {
      if (!gone.aborted) warn(`${request.method} ${request.url}: the handler failed: ${lineOf(error)}`);
      return plainResponse(500, 'the edge failed; its log says more');
    }
  }

  /** Takes `cc=NAME` off the query. Only names that the kernel has loaded: as root, others would load a module. */
  function chooseCongestionControl(message: IncomingMessage): void {
    const [path = '', query = ''] = (message.url ?? '').split(/\?(.*)/s);
    const parts = query.split('&');
    const name = parts.find((part) => part.startsWith('cc='))?.slice(3);
    if (name === undefined) return;
    const rest = parts.filter((part) => !part.startsWith('cc=')).join('&');
    message.url = rest === '' ? path : `${path}?${rest}`;
    const refused = !available.includes(name) || kernel?.setCongestionControl(message.socket, name) !== null;
    if (refused) stats.refusedCongestionControls += 1;
  }

  const server = createServer(
    { keepAliveTimeout: KEEP_ALIVE_MS, maxHeaderSize: MAX_HEADER_BYTES },
    (message, response) => {
      const connection = connections.get(message.socket);
      if (!connection) return void response.destroy();
      const serving = connection
        .inTurn((gone) => serve(connection, message, response, gone))
        .then((served) => served && settle(connection, message, served))
        .catch((error: unknown) => {
          warn(`${message.method} ${message.url}: ${lineOf(error)}`);
          response.destroy();
        })
        .then(() => void settling.delete(serving));
      settling.add(serving);
    },
  );
  // Unlike a bare number, it is not mistaken for one of an earlier edge at the same address.
  const run = Math.floor(Math.random() * 36 ** 4).toString(36);
  let connectionCount = 0;
  server.on('connection', (socket) => {
    connectionCount += 1;
    connections.set(socket, new Connection(socket, `${run}-${connectionCount}`, kernel));
    stats.connections += 1;
    socket.once('close', () => {
      stats.connections -= 1;
      connections.delete(socket);
    });
    socket.setKeepAlive(true, 30_000);
    kernel?.setUserTimeout(socket, CLIENT_GONE_MS);
  });

  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenError(error, host, port);
  }
  if (options.congestionControl !== undefined) {
    const refused = kernel ? kernel.setCongestionControl(server, options.congestionControl) : 'failed';
    if (refused !== null) {
      server.close();
      throw await congestionControlError(options.congestionControl, refused);
    }
  }
  if (cannotPace !== null) warn(`this platform cannot pace (${cannotPace}): everything is served unpaced`);

  const address = server.address() as AddressInfo;
  return {
    port: address.port,
    url: `http://${urlHost(address)}:${address.port}`,
    cannotPace,
    stats,
    async close() {
      const closed = once(server, 'close');
      for (const connection of connections.values()) connection.end();
      server.close();
      await closed;
      // What was in flight is counted and reported as incomplete, unless a handler does not heed its signal.
      const patience = new Promise((resolve) => setTimeout(resolve, 500).unref());
      await Promise.race([Promise.allSettled(settling), patience]);
    },
  };
}

interface Served {
  readonly arrived: number;
  readonly status: number;
  readonly verdict: PaceVerdict;
  readonly applied: AppliedPace;
  readonly sent: { readonly bytes: number; readonly complete: boolean };
}

/** Gives the socket the pace of this response, or releases it from the last one's. */
function applyPace({ kernel, socket }: Connection, verdict: PaceVerdict | null): AppliedPace {
  const pace = verdict?.pace ?? null;
  const done = kernel?.setPace(socket, pace) ?? false;
  if (pace !== null && !done) return { pace: null, reason: 'platform-cannot-pace' };
  return { pace, reason: verdict?.reason ?? 'no-rtp' };
}

function urlHost({ address, family }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return 'localhost';
  return family === 'IPv6' ? `[${address}]` : address;
}

import { once } from 'node:events';
import type { AddressInfo, Socket } from 'node:net';
import { bytes, kbps, milliseconds, type Bytes, type Kbps, type Milliseconds } from '../../src/units.ts';
import { RTP_STEP_KBPS } from '../../src/wire/rtp.ts';
import type { Handler } from '../handler.ts';
import { takeVerdict } from '../internal-headers.ts';
import { plainResponse } from '../origin.ts';
import type { PaceReason, PaceVerdict } from '../policy.ts';
import { addReceipt } from './add-receipt.ts';
import { Connection } from './connection.ts';
import { createHttpServer, type Certificate, type HttpRequest, type HttpResponse } from './http-server.ts';
import { nodeRequest } from './node-request.ts';
import { sendBody } from './send-body.ts';
import type { Share } from './shared-pace.ts';
import { congestionControls, openSocketOptions } from './socket-options.ts';
import { congestionControlError, lineOf, listenError } from './start-errors.ts';
import type { TcpInfo } from './tcp-info.ts';

/** Sent data unacknowledged, or a window kept shut, for so long: the client is taken for gone. */
export const CLIENT_GONE_MS = milliseconds(120_000);

/** What was written, at least 16 kB, a client must take within so long: slower is not playing video. */
export const CLIENT_PATIENCE_MS = milliseconds(60_000);

/**
 * The least that a socket is paced to: the smallest `rtp` that CMCD can express. TCP schedules a packet by the
 * pace at which the one before it left, so a connection paced to nothing could not even be released.
 */
const LEAST_PACE_KBPS = kbps(RTP_STEP_KBPS);

export interface EdgeOptions {
  /** Usually createHandler's, alone or behind the caller's own routes; what carries no verdict is served unpaced. */
  readonly handler: Handler;
  /** 0, the default, takes a free one. */
  readonly port?: number;
  readonly host?: string;
  /** Serves HTTP/2, and HTTP/1.1 to who asks for it, over TLS; without it HTTP/1.1 in the clear. */
  readonly tls?: Certificate;
  /** For every connection; the kernel's default when not given. */
  readonly congestionControl?: string;
  /** Lets a request choose it for its connection with `?cc=NAME`, which the handler does not get to see. */
  readonly allowClientCongestionControl?: boolean;
  /** How long a client may take nothing of what was written. */
  readonly clientPatience?: Milliseconds;
  /** Called once for each response of the edge's handler, when the client has it or is gone. */
  readonly onResponse?: (event: ResponseEvent) => void;
  /** One line for the operator; stderr when not given. */
  readonly onWarning?: (line: string) => void;
}

export type AppliedReason = PaceReason | 'platform-cannot-pace';

export interface AppliedPace {
  /** Of this response. */
  readonly pace: Kbps | null;
  /** Of the socket, which HTTP/2 responses share. */
  readonly socketPace: Kbps | null;
  readonly reason: AppliedReason;
}

export interface ResponseEvent {
  readonly method: string;
  /** Path and query as asked, with CMCD. */
  readonly url: string;
  readonly status: number;
  readonly asked_kbps: Kbps | null;
  readonly pace_kbps: Kbps | null;
  /** What the socket had as this response began: more with HTTP/2, when others were under way on it. */
  readonly socket_pace_kbps: Kbps | null;
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

/** Serves a handler over HTTP/1.1 or HTTP/2 and applies its verdicts to the sockets. Throws an Error for what cannot be had. */
export async function startEdge(options: EdgeOptions): Promise<Edge> {
  const { handler, port = 0, host = '127.0.0.1', onResponse } = options;
  const { clientPatience = CLIENT_PATIENCE_MS } = options;
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
  /** By the client's address, since HTTP/2 and TLS hide the socket itself from the requests on it. */
  const connections = new Map<string, Connection>();
  const settling = new Set<Promise<void>>();

  /** One response, from its request to the last byte handed to the kernel. */
  async function serve(
    connection: Connection,
    message: HttpRequest,
    response: HttpResponse,
    gone: AbortSignal,
  ): Promise<Served> {
    const arrived = performance.now();
    const answer = await ask(connection, message, gone);
    const headers = new Headers(answer.headers);
    const verdict = leastPace(takeVerdict(headers));
    // Before the first byte of every response, so that no pace outlives its request.
    const share = connection.pace.begin(verdict?.pace ?? null);
    try {
      const applied = appliedPace(connection, verdict, share);
      if (verdict) addReceipt(headers, connection, applied);
      response.statusCode = answer.status;
      for (const [name, value] of headers) response.setHeader(name, value);
      const sent = await sendBody(answer.body, response, gone, clientPatience);
      return { arrived, status: answer.status, verdict, share, applied, sent };
    } catch (error) {
      connection.pace.end(share);
      throw error;
    }
  }

  /** Waits until the client has the response, or is gone, then counts and reports it. */
  async function settle(
    connection: Connection,
    message: HttpRequest,
    gone: AbortSignal,
    { arrived, status, verdict, share, applied, sent }: Served,
  ): Promise<void> {
    const complete = (await connection.settled(share)) && sent.complete && !gone.aborted;
    if (!verdict) return;
    const { pace, socketPace, reason } = applied;
    stats.responses += 1;
    stats.bytes += sent.bytes;
    stats.incomplete += complete ? 0 : 1;
    stats.reasons[reason] = (stats.reasons[reason] ?? 0) + 1;
    onResponse?.({
      method: message.method ?? '',
      url: message.url ?? '',
      status: status,
      asked_kbps: verdict.asked,
      pace_kbps: pace,
      socket_pace_kbps: socketPace,
      reason,
      bytes: bytes(sent.bytes),
      duration_ms: milliseconds(performance.now() - arrived),
      complete,
      connection: connection.id,
      tcp: connection.tcpInfo(),
    });
  }

  /** The handler's answer; its mistakes and those of the request end here. */
  async function ask(connection: Connection, message: HttpRequest, gone: AbortSignal): Promise<Response> {
    let request: Request;
    try {
      if (options.allowClientCongestionControl) chooseCongestionControl(connection, message);
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
  function chooseCongestionControl({ socket }: Connection, message: HttpRequest): void {
    const [path = '', query = ''] = (message.url ?? '').split(/\?(.*)/s);
    const parts = query.split('&');
    const name = parts.find((part) => part.startsWith('cc='))?.slice(3);
    if (name === undefined) return;
    const rest = parts.filter((part) => !part.startsWith('cc=')).join('&');
    message.url = rest === '' ? path : `${path}?${rest}`;
    const refused = !available.includes(name) || kernel?.setCongestionControl(socket, name) !== null;
    if (refused) stats.refusedCongestionControls += 1;
  }

  const server = createHttpServer(options.tls, (message, response) => {
    const connection = connections.get(addressOf(message.socket));
    if (!connection) return void response.destroy();
    const one = async (gone: AbortSignal) => ({
      gone,
      served: await serve(connection, message, response, gone),
    });
    const inOrder = 'stream' in message ? connection.atOnce(message.stream, one) : connection.inTurn(one);
    const serving = inOrder
      .then(({ gone, served }) => settle(connection, message, gone, served))
      .catch((error: unknown) => {
        warn(`${message.method} ${message.url}: ${lineOf(error)}`);
        response.destroy();
      })
      .then(() => void settling.delete(serving));
    settling.add(serving);
  });
  // Unlike a bare number, it is not mistaken for one of an earlier edge at the same address.
  const run = Math.floor(Math.random() * 36 ** 4).toString(36);
  let connectionCount = 0;
  server.on('connection', (socket: Socket) => {
    connectionCount += 1;
    const address = addressOf(socket);
    connections.set(address, new Connection(socket, `${run}-${connectionCount}`, kernel));
    stats.connections += 1;
    socket.once('close', () => {
      stats.connections -= 1;
      connections.delete(address);
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
    url: `${options.tls ? 'https' : 'http'}://${urlHost(address)}:${address.port}`,
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
  readonly verdict: PaceVerdict | null;
  readonly share: Share;
  readonly applied: AppliedPace;
  readonly sent: { readonly bytes: number; readonly complete: boolean };
}

const addressOf = ({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>): string =>
  `${remoteAddress} ${remotePort}`;

const leastPace = (verdict: PaceVerdict | null): PaceVerdict | null =>
  verdict && verdict.pace !== null && verdict.pace < LEAST_PACE_KBPS
    ? { ...verdict, pace: LEAST_PACE_KBPS, reason: 'floor' }
    : verdict;

/** What a response has got of what its verdict says. */
function appliedPace({ pace }: Connection, verdict: PaceVerdict | null, share: Share): AppliedPace {
  const granted = share.pace === (verdict?.pace ?? null);
  return {
    pace: share.pace,
    socketPace: pace.applied,
    reason: granted ? (verdict?.reason ?? 'no-rtp') : 'platform-cannot-pace',
  };
}

function urlHost({ address, family }: AddressInfo): string {
  if (address === '0.0.0.0' || address === '::') return 'localhost';
  return family === 'IPv6' ? `[${address}]` : address;
}

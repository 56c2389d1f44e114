import type { ServerResponse } from 'node:http';
import { bytes, kbps, milliseconds, type Kbps, type Milliseconds } from '../../src/units.ts';
import { CHANGE_KEY, RTP_STEP_KBPS } from '../../src/wire/rtp.ts';
import { CMCD_HEADERS, readCmcd } from '../cmcd.ts';
import type { Handler } from '../handler.ts';
import { takeVerdict } from '../internal-headers.ts';
import { plainResponse } from '../origin.ts';
import type { SocketVerdict, Verdict } from '../policy.ts';
import { addReceipt } from './sending/add-receipt.ts';
import type { PaceChanges } from './changes/pace-changes.ts';
import type { Connection } from './connections/connection.ts';
import { TurnQueue } from './connections/few-a-turn.ts';
import { recordAddress } from './client-address.ts';
import type { HttpRequest, HttpResponse } from './http-server.ts';
import type { LookUpAs } from './networks/as-table.ts';
import { nodeRequest, originForm } from './node-request.ts';
import { getArm } from './request-arm.ts';
import { requestId } from './request-id.ts';
import type { AppliedPace, EdgeStats, RequestArm, ResponseEvent } from './response-event.ts';
import { sendBody, type SentBody } from './sending/send-body.ts';
import type { Share } from './connections/shared-socket.ts';
import { errorLine } from '../../system/error-line.ts';

/**
 * The lowest pace of a socket: the smallest `rtp` that CMCD can express. TCP schedules each packet with the pace at the
 * time of the previous packet, so a connection with a pace near 0 could not send for a long time, even after the pace
 * is removed.
 */
const LEAST_PACE_KBPS = kbps(RTP_STEP_KBPS);

/**
 * The number of HTTP/1.1 requests that begin per turn of the event loop. HTTP/2 requests have already waited for their
 * turn.
 */
const BEGUN_A_TURN = 1;

/** The maximum time, ms, for which a response's headers wait for the first piece of the body. */
const HEAD_WAITS_MS = 5;

export interface ResponderOptions {
  readonly handler: Handler;
  readonly clientPatience: Milliseconds;
  readonly stats: EdgeStats;
  readonly warn: (line: string) => void;
  readonly onResponse?: (event: ResponseEvent) => void;
  /** The responses in flight whose pace their clients may change. By default, changes are not possible. */
  readonly changes?: PaceChanges;
  /** Looks up the autonomous system of a client's address; 0 if unknown. */
  readonly asOf?: LookUpAs;
}

/** A response whose body is being sent. */
interface StartedResponse {
  readonly arrived: number;
  /** The time at which the headers were written. */
  readonly headAt: number;
  readonly request: string;
  readonly client: string;
  readonly arm: RequestArm | null;
  readonly status: number;
  readonly verdict: Verdict | null;
  readonly share: Share;
  readonly applied: AppliedPace;
  /** Ends the period in which the response's pace can be changed. */
  readonly unchangeable: () => void;
  readonly sending: Promise<SentBody>;
}

interface Served extends Omit<StartedResponse, 'sending'> {
  readonly sent: SentBody;
}

/**
 * Answers requests with the handler's responses, at the pace that the handler decides. Reports each response when the
 * client has received it completely.
 */
export class Responder {
  /** Whether the server drains. Each response is then the last of its connection. */
  isDraining = false;
  readonly #settling = new Set<Promise<void>>();
  readonly #beginning = new TurnQueue<Connection>(BEGUN_A_TURN);

  constructor(readonly options: ResponderOptions) {}

  answer(connection: Connection, message: HttpRequest, response: HttpResponse): void {
    const { stats, warn } = this.options;
    const one = (gone: AbortSignal) => this.#serve(connection, message, response, gone);
    const inOrder = 'stream' in message ? connection.atOnce(message.stream, one) : connection.inTurn(one);
    stats.mostWaiting = Math.max(stats.mostWaiting, connection.waiting);
    const serving = inOrder
      .then((served) => this.#settle(connection, message, served))
      .catch((error: unknown) => {
        warn(`${message.method} ${originForm(message)}: ${errorLine(error)}`);
        response.destroy();
      })
      .then(() => void this.#settling.delete(serving));
    this.#settling.add(serving);
  }

  /** Resolves when all responses in flight are counted and reported. */
  async settled(): Promise<void> {
    await Promise.allSettled(this.#settling);
  }

  /** Serves one response, from its request to the last byte that is passed to the kernel. */
  async #serve(
    connection: Connection,
    message: HttpRequest,
    response: HttpResponse,
    gone: AbortSignal,
  ): Promise<Served> {
    // Do not keep the request and the handler's response in memory while the body is sent.
    const { sending, ...begun } = await this.#begin(connection, message, response, gone);
    try {
      return { ...begun, sent: await sending };
    } catch (error) {
      begun.unchangeable();
      connection.shared.end(begun.share);
      throw error;
    }
  }

  /** Calls the handler, sets the pace, and begins to send. */
  async #begin(
    connection: Connection,
    message: HttpRequest,
    response: HttpResponse,
    gone: AbortSignal,
  ): Promise<StartedResponse> {
    const arrived = performance.now();
    if (!('stream' in message)) await this.#beginning.next(connection);
    const client = message.socket.remoteAddress ?? '';
    const request = requestId(message, connection.nextRequest());
    const { answer, arm, secret } = await this.#ask(message, gone);
    const headers = new Headers(answer.headers);
    const verdict = leastPace(takeVerdict(headers));
    const paceBefore = connection.shared.applied.pace;
    // Apply the verdict before the first byte of every response, so that a pace never applies to a later response.
    const share =
      !verdict && answer.status === NO_CONTENT
        ? connection.shared.pass()
        : connection.shared.begin(verdict ?? NO_VERDICT);
    const unchangeable = this.#makeChangeable(connection, share, secret);
    if (verdict && share.wanted.congestionControl !== verdict.congestionControl) {
      this.options.stats.refusedCongestionControls += 1;
    }
    try {
      const applied = appliedPace(connection, verdict, share, paceBefore);
      if (verdict) addReceipt(headers, connection, applied, this.options.changes !== undefined);
      this.#writeHead(message, response, answer.status, headers);
      const headAt = performance.now();
      const sending = this.#send(connection, message, response, { body: answer.body, share, gone });
      return {
        arrived,
        headAt,
        request,
        client,
        arm,
        status: answer.status,
        verdict,
        share,
        applied,
        unchangeable,
        sending,
      };
    } catch (error) {
      unchangeable();
      connection.shared.end(share);
      throw error;
    }
  }

  /**
   * Allows a client that knows the secret to change the pace of a paced response, until the returned function is
   * called.
   */
  #makeChangeable(connection: Connection, share: Share, secret: Secret | null): () => void {
    const { changes, stats } = this.options;
    const { pace } = share.wanted;
    if (!changes || !secret || pace === null) return () => undefined;
    return changes.add(secret.text, {
      // At most the initial pace, because a player's floor must not raise a pace above the operator's ceiling.
      least: secret.least && kbps(Math.min(secret.least, pace)),
      change: (wanted) => {
        const changed = connection.shared.change(share, wanted);
        if (changed) stats.changedPaces += 1;
        return changed;
      },
    });
  }

  #writeHead(message: HttpRequest, response: HttpResponse, status: number, headers: Headers): void {
    if ('stream' in message) {
      response.statusCode = status;
      for (const [name, value] of headers) response.setHeader(name, value);
      return;
    }
    // Close the connection when draining (HTTP/2 uses GOAWAY instead), or if the request body is incomplete, because
    // the client could keep the connection open by sending slowly.
    if (this.isDraining || !message.complete) headers.set('Connection', 'close');
    // Use writeHead, because Node keeps headers from setHeader as objects until the response is complete.
    (response as ServerResponse).writeHead(status, [...headers].flat());
  }

  #send(
    connection: Connection,
    message: HttpRequest,
    response: HttpResponse,
    { body, share, gone }: { body: Response['body']; share: Share; gone: AbortSignal },
  ): Promise<SentBody> {
    const options = {
      gone,
      patience: this.options.clientPatience,
      position: () => connection.socket.bytesWritten,
    };
    if (!('stream' in message)) {
      if (body) sendHeadSoon(connection, response as ServerResponse);
      return sendBody(body, response, { ...options, socket: { buffer: connection.sendBuffer } });
    }
    // Close the stream of an incomplete request body, which the client need not complete (RFC 9113 §8.1), because it
    // would occupy one of the client's few streams.
    message.stream.once('finish', () => {
      if (!message.complete) message.stream.close();
    });
    const turns = connection.turns.join(() => share.wanted.pace);
    return sendBody(body, response, { ...options, socket: { turns } }).finally(() => turns.leave());
  }

  /** Waits until the client has received the response or is gone, then counts and reports the response. */
  async #settle(
    connection: Connection,
    message: HttpRequest,
    { arrived, headAt, verdict, share, applied, unchangeable, sent, ...told }: Served,
  ): Promise<void> {
    const { stats, onResponse } = this.options;
    const complete = (await connection.settled(share, sent.endsAt)) && sent.complete;
    unchangeable();
    if (!verdict) return;
    const { pace, socketPace, reason } = applied;
    stats.responses += 1;
    stats.bytes += sent.bytes;
    stats.incomplete += complete ? 0 : 1;
    stats.reasons[reason] = (stats.reasons[reason] ?? 0) + 1;
    onResponse?.({
      ...told,
      protocol: 'stream' in message ? 'HTTP/2' : 'HTTP/1.1',
      method: message.method ?? '',
      url: originForm(message),
      asked_kbps: verdict.asked,
      pace_kbps: pace,
      kept_pace: share.keptPace,
      socket_pace_kbps: socketPace,
      reason,
      bytes: bytes(sent.bytes),
      first_byte_ms: milliseconds(headAt - arrived),
      duration_ms: milliseconds(performance.now() - arrived),
      complete,
      cut_by: complete ? null : sent.bodyFailed ? 'origin' : 'client',
      connection: connection.id,
      ...connection.takeSent(),
      tcp: connection.tcpInfo(),
    });
  }

  /** Returns the handler's response; 400 for a request that cannot be converted, 500 if the handler fails. */
  async #ask(
    message: HttpRequest,
    gone: AbortSignal,
  ): Promise<{ readonly answer: Response; readonly arm: RequestArm | null; readonly secret: Secret | null }> {
    const { handler, warn, asOf } = this.options;
    const address = message.socket.remoteAddress ?? '';
    let request: Request;
    try {
      request = nodeRequest(message, gone, asOf?.(address) ?? null);
      recordAddress(request, address);
    } catch (error) {
      return { answer: plainResponse(400, `bad request: ${errorLine(error)}`), arm: null, secret: null };
    }
    try {
      const answer = await handler(request);
      return { answer, arm: getArm(request), secret: this.options.changes ? readSecret(request) : null };
    } catch (error) {
      // Omit the query, because it may contain a token.
      const { pathname } = new URL(request.url);
      if (!gone.aborted) warn(`${request.method} ${pathname}: the handler failed: ${errorLine(error)}`);
      const answer = plainResponse(500, 'the edge failed; its log says more');
      return { answer, arm: null, secret: null };
    }
  }
}

/**
 * Sends the headers alone if no piece of the body follows soon; otherwise, they share a packet. The kernel sends a
 * paced body in pairs of packets, and clients acknowledge every second packet. A packet with only the headers would
 * shift this by one packet, so that the acknowledgment of each pair waits for the next pair
 * (docs/results/log/machine.md).
 */
function sendHeadSoon({ socket }: Connection, response: ServerResponse): void {
  const before = socket.bytesWritten;
  setTimeout(() => {
    if (socket.bytesWritten === before) response.flushHeaders();
  }, HEAD_WAITS_MS);
}

/** The secret that authorizes changes of a response's pace, and the lowest permitted pace. */
interface Secret {
  readonly text: string;
  readonly least: Kbps | null;
}

/** Returns null for most requests without parsing their CMCD again. */
function readSecret(request: Request): Secret | null {
  const fields = [request.url, ...CMCD_HEADERS.map((name) => request.headers.get(name) ?? '')];
  if (!fields.some((text) => text.includes(CHANGE_KEY))) return null;
  const { change, bitrate, topBitrate, floor } = readCmcd(request);
  const least = Math.max(bitrate ?? topBitrate ?? 0, floor ?? 0);
  return change === null ? null : { text: change, least: least > 0 ? kbps(least) : null };
}

const NO_CONTENT = 204;

/** The socket settings for a response without a verdict, for example of a route of the embedding program. */
const NO_VERDICT: SocketVerdict = { pace: null, congestionControl: null, floor: null };

const leastPace = (verdict: Verdict | null): Verdict | null =>
  verdict && verdict.pace !== null && verdict.pace < LEAST_PACE_KBPS
    ? { ...verdict, pace: LEAST_PACE_KBPS, reason: 'floor' }
    : verdict;

/** Returns the actual pace of a response, which may differ from the pace in the verdict. */
function appliedPace(
  { shared }: Connection,
  verdict: Verdict | null,
  share: Share,
  paceBefore: Kbps | null,
): AppliedPace {
  const granted = share.wanted.pace === (verdict?.pace ?? null);
  return {
    pace: share.wanted.pace,
    socketPace: shared.applied.pace,
    paceBefore,
    reason: granted ? (verdict?.reason ?? 'no-rtp') : 'platform-cannot-pace',
  };
}

import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import type { Listener, Wire, WireRequest } from '../network/wire.ts';
import { joinPieces } from './pieces.ts';

/** Chromium's flow control window of a stream (`net/http/http_network_session.h`). */
const STREAM_WINDOW_BYTES = 6 * 2 ** 20;
/** Chromium's flow control window of a connection. */
const CONNECTION_WINDOW_BYTES = 15 * 2 ** 20;

/** Sends requests by HTTP/2 over the machine's own TCP, on one connection per server. */
export class Http2Wire implements Wire {
  readonly #sessions = new Map<string, ClientHttp2Session>();

  ask({ url, method, headers, body }: WireRequest, listener: Listener): () => void {
    const { origin, pathname, search } = new URL(url);
    let [hasBegun, isOver] = [false, false];
    const fail = () => {
      if (!isOver) listener.failed();
      isOver = true;
    };
    const stream = this.#openSession(origin).request(
      { ...Object.fromEntries(headers), ':method': method, ':path': `${pathname}${search}` },
      { endStream: body === undefined },
    );
    stream.once('error', fail);
    stream.once('close', fail);
    const pieces: Buffer[] = [];
    let arrived = 0;
    stream.once('response', (fields) => {
      if (isOver) return;
      hasBegun = true;
      listener.began(readHead(fields), joinPieces(pieces));
    });
    stream.on('data', (piece: Buffer) => {
      if (isOver) return;
      pieces.push(piece);
      listener.arrived((arrived += piece.length));
    });
    stream.once('end', () => {
      // A server may also reset a stream without an error.
      if (isOver || !hasBegun || stream.rstCode !== 0) return;
      isOver = true;
      listener.ended(arrived);
    });
    if (body !== undefined) stream.end(body);
    return () => {
      isOver = true;
      stream.destroy();
    };
  }

  #openSession(origin: string): ClientHttp2Session {
    const known = this.#sessions.get(origin);
    if (known && !known.closed && !known.destroyed) return known;
    const session = connect(origin, {
      // The lab's edges have self-signed certificates.
      rejectUnauthorized: false,
      settings: { initialWindowSize: STREAM_WINDOW_BYTES, enablePush: false },
    });
    session.once('connect', () => session.setLocalWindowSize(CONNECTION_WINDOW_BYTES));
    // Ignored, because the session's requests receive the error too.
    session.on('error', () => undefined);
    session.once('goaway', () => this.#sessions.delete(origin));
    this.#sessions.set(origin, session);
    return session;
  }
}

function readHead(fields: IncomingHttpHeaders) {
  const length = Number(fields['content-length'] ?? NaN);
  return {
    status: Number(fields[':status'] ?? 0),
    statusText: '',
    headers: new Map(
      Object.entries(fields)
        .filter(([name]) => !name.startsWith(':'))
        .map(([name, value]) => [name, String(value)]),
    ),
    size_bytes: Number.isFinite(length) ? length : undefined,
  };
}

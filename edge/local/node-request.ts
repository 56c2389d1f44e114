import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { Readable } from 'node:stream';
import { CLIENT_AS_HEADER } from '../cluster.ts';

/**
 * Converts a request for the handler. `clientAs` is the client's autonomous system, if looked up; a client's own header of
 * that name is removed. Throws an Error of one line for a request that URL or Request cannot represent.
 */
export function nodeRequest(
  message: IncomingMessage | Http2ServerRequest,
  signal: AbortSignal,
  clientAs: number | null = null,
): Request {
  const { method = 'GET' } = message;
  const scheme = 'encrypted' in message.socket ? 'https' : 'http';
  const named = message.headers[':authority'] ?? message.headers.host ?? '';
  const host =
    typeof named === 'string' && /^[\w.\-[\]:]+$/.test(named) && URL.canParse(`http://${named}`)
      ? named
      : 'localhost';
  // RFC 9112 §3.2: of two Host headers, a cache or proxy on the way may have used the other. Node uses the first.
  if (message.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length > 1) {
    throw new Error('the request has two Host lines');
  }
  const path = originForm(message);
  if (!path.startsWith('/') || !URL.canParse(`${scheme}://${host}${path}`)) {
    throw new Error('the request target is not a path');
  }

  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    // Skip HTTP/2's pseudo-headers: the Request already contains method, path and authority.
    if (name.startsWith(':')) continue;
    for (const line of [value ?? []].flat()) headers.append(name, line);
  }
  headers.delete(CLIENT_AS_HEADER);
  if (clientAs !== null) headers.set(CLIENT_AS_HEADER, String(clientAs));
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(`${scheme}://${host}${path}`, {
    method,
    headers,
    signal,
    ...(hasBody && { body: createBody(message), duplex: 'half' }),
  });
}

/**
 * The request target in origin form (RFC 9112 §3.2). The absolute form, which clients send to proxies, is reduced to origin
 * form, because its authority may contain a password that must not be logged.
 */
export const originForm = ({ url = '' }: Pick<IncomingMessage | Http2ServerRequest, 'url'>): string =>
  url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '') || '/';

/** The body. If the client disconnects while the request waits for its turn, the body fails. */
function createBody(message: IncomingMessage | Http2ServerRequest): ReadableStream {
  if (!message.destroyed) return Readable.toWeb(message) as ReadableStream;
  return new ReadableStream({ start: (body) => body.error(new Error('the client has gone')) });
}

import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { Readable } from 'node:stream';
import { CLIENT_AS_HEADER } from '../cluster.ts';

/**
 * Converts a request for the handler. Sets CLIENT_AS_HEADER to `clientAs`, the client's autonomous system number if
 * known, or removes a value that the client has sent. Throws a one-line Error for a request that URL or Request cannot
 * represent.
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
  // Reject several Host headers (RFC 9112 §3.2): Node uses the first, but a cache or proxy on the path may have used
  // another.
  if (message.rawHeaders.filter((text, at) => at % 2 === 0 && text.toLowerCase() === 'host').length > 1) {
    throw new Error('the request has two Host lines');
  }
  const path = originForm(message);
  if (!path.startsWith('/') || !URL.canParse(`${scheme}://${host}${path}`)) {
    throw new Error('the request target is not a path');
  }

  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    // Skip HTTP/2's pseudo-headers, because the Request already contains method, path and authority.
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
 * Returns the request target in origin form (RFC 9112 §3.2). The authority of an absolute form, which clients send to
 * proxies, is removed, because it may contain a password that must not be logged.
 */
export const originForm = ({ url = '' }: Pick<IncomingMessage | Http2ServerRequest, 'url'>): string =>
  url.replace(/^[a-z][a-z\d+.-]*:\/\/[^/?#]*/i, '') || '/';

/** Creates the request's body. It fails if the client disconnects while the request waits for its turn. */
function createBody(message: IncomingMessage | Http2ServerRequest): ReadableStream {
  if (!message.destroyed) return Readable.toWeb(message) as ReadableStream;
  return new ReadableStream({ start: (body) => body.error(new Error('the client has gone')) });
}

import type { IncomingMessage } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import { Readable } from 'node:stream';

/** A request as the handler wants it. Throws an Error with one line for what no URL or Request can express. */
export function nodeRequest(message: IncomingMessage | Http2ServerRequest, signal: AbortSignal): Request {
  const { method = 'GET', url: target = '' } = message;
  const scheme = 'encrypted' in message.socket ? 'https' : 'http';
  const named = message.headers[':authority'] ?? message.headers.host ?? '';
  const host =
    typeof named === 'string' && /^[\w.\-[\]:]+$/.test(named) && URL.canParse(`http://${named}`)
      ? named
      : 'localhost';
  // The origin form; the absolute form that proxies are sent is reduced to it (RFC 9112 §3.2).
  const path = target.replace(/^https?:\/\/[^/?#]*/i, '') || '/';
  if (!path.startsWith('/') || !URL.canParse(`${scheme}://${host}${path}`)) {
    throw new Error('the request target is not a path');
  }

  const headers = new Headers();
  for (const [name, value] of Object.entries(message.headers)) {
    // HTTP/2's own: method, path and authority are in the Request already.
    if (name.startsWith(':')) continue;
    for (const line of [value ?? []].flat()) headers.append(name, line);
  }
  const hasBody = method !== 'GET' && method !== 'HEAD';
  return new Request(`${scheme}://${host}${path}`, {
    method,
    headers,
    signal,
    ...(hasBody && { body: Readable.toWeb(message) as ReadableStream, duplex: 'half' }),
  });
}

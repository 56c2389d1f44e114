import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import {
  createSecureServer,
  type Http2SecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
} from 'node:http2';
import { milliseconds } from '../../src/units.ts';
import { lineOf } from '../../system/line-of.ts';

/** A certificate chain and its private key, as PEM text. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export type HttpRequest = IncomingMessage | Http2ServerRequest;
export type HttpResponse = ServerResponse | Http2ServerResponse;

/**
 * How long an idle connection is kept. A player with a full buffer of 240 s may pause for some tens of
 * seconds between segments, and a new connection would cost it a slow start.
 */
export const KEEP_ALIVE_MS = milliseconds(120_000);

/** Room for CMCD that is absurdly long, which is to be served, not answered with 431. */
const MAX_HEADER_BYTES = 256 * 1024;

/**
 * A player asks for a handful of segments at once, and a client waits with more. RFC 9113 §6.5.2 advises a hundred for
 * the sake of pages; each stream here may have a file open that its client takes nothing of.
 */
const MAX_STREAMS = 16;

/** HTTP/1.1, or with a certificate HTTP/2 and HTTP/1.1 over TLS. Throws an Error when the certificate is none. */
export function createHttpServer(
  certificate: Certificate | undefined,
  listener: (message: HttpRequest, response: HttpResponse) => void,
): Server | Http2SecureServer {
  const limits = { keepAliveTimeout: KEEP_ALIVE_MS, maxHeaderSize: MAX_HEADER_BYTES };
  if (!certificate) return createServer(limits, listener);

  const server = secureServer(certificate, listener);
  // Its HTTP/1.1 side reads these from the server, where its options do not put them (Node 20).
  Object.assign(server, limits);
  server.on('session', (session) => {
    session.setTimeout(KEEP_ALIVE_MS, () => {
      session.close();
    });
  });
  // A client that speaks no TLS, or breaks off, is no news.
  server.on('sessionError', () => undefined);
  return server;
}

function secureServer(
  { cert, key }: Certificate,
  listener: (message: HttpRequest, response: HttpResponse) => void,
): Http2SecureServer {
  try {
    return createSecureServer(
      {
        cert,
        key,
        allowHTTP1: true,
        handshakeTimeout: 10_000,
        settings: { maxConcurrentStreams: MAX_STREAMS, maxHeaderListSize: MAX_HEADER_BYTES },
      },
      listener,
    );
  } catch (error) {
    throw new Error(`the TLS certificate and key are not usable: ${lineOf(error)}`, { cause: error });
  }
}

import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Http2SecureServer, Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import { milliseconds } from '../../src/units.ts';
import { errorLine } from '../../system/error-line.ts';

/** A certificate chain and its private key, as PEM text. */
export interface Certificate {
  readonly cert: string;
  readonly key: string;
}

export type HttpRequest = IncomingMessage | Http2ServerRequest;
export type HttpResponse = ServerResponse | Http2ServerResponse;

/**
 * The time for which an idle connection is kept open. A player with a full buffer of 240 s may pause for tens of
 * seconds between segments, and a new connection would begin with slow start.
 */
export const KEEP_ALIVE_MS = milliseconds(120_000);

/**
 * The maximum size of headers. Large enough that requests with far too long CMCD are served and not answered with 431.
 */
const MAX_HEADER_BYTES = 256 * 1024;

/**
 * The maximum number of concurrent streams of an HTTP/2 connection. A player requests only a few segments at once;
 * further requests wait in the client. RFC 9113 §6.5.2 recommends at least a hundred, but a stream whose client reads
 * nothing may keep a file open.
 */
const MAX_STREAMS = 16;

/**
 * Creates a server for HTTP/1.1 or, if there is a certificate, for HTTP/2 and HTTP/1.1 over TLS. Throws an Error for an
 * invalid certificate.
 */
export async function createHttpServer(
  certificate: Certificate | undefined,
  listener: (message: HttpRequest, response: HttpResponse) => void,
): Promise<Server | Http2SecureServer> {
  const limits = { keepAliveTimeout: KEEP_ALIVE_MS, maxHeaderSize: MAX_HEADER_BYTES };
  if (!certificate) return createServer(limits, listener);

  const server = await secureServer(certificate, listener);
  // Set the limits of HTTP/1.1 here, because Node 20 does not copy them from the options to an HTTP/2 server.
  Object.assign(server, limits);
  server.on('session', (session) => {
    session.setTimeout(KEEP_ALIVE_MS, () => {
      session.close();
    });
  });
  // Ignore errors of clients that do not use TLS, or that disconnect.
  server.on('sessionError', () => undefined);
  return server;
}

/** Throws a one-line Error if the certificate and the key cannot be used together. */
export async function checkCertificate({ cert, key }: Certificate): Promise<void> {
  const { createSecureContext } = await import('node:tls');
  try {
    createSecureContext({ cert, key });
  } catch (error) {
    throw new Error(`the TLS certificate and key are not usable: ${errorLine(error)}`, { cause: error });
  }
}

async function secureServer(
  { cert, key }: Certificate,
  listener: (message: HttpRequest, response: HttpResponse) => void,
): Promise<Http2SecureServer> {
  await checkCertificate({ cert, key });
  // Loaded on demand, because the module takes 2 MB of memory.
  const { createSecureServer } = await import('node:http2');
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
}

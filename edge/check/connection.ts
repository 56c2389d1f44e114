import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect as connectHttp2, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { Agent as SecureAgent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { milliseconds } from '../../src/units.ts';
import { steadyPart, type Arrival } from './steady-part.ts';

/** A response, and how its bytes came. */
export interface Timed {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly bytes: number;
  /** The part whose bytes over time are the rate. */
  readonly steady: ReturnType<typeof steadyPart>;
}

/** One connection, over which requests are sent one after the other: only the first of them has TCP's unpaced first packets. */
export interface Connection {
  readonly protocol: 'HTTP/1.1' | 'HTTP/2';
  get(target: string, headers: Readonly<Record<string, string>>): Promise<Timed>;
  close(): void;
}

const PATIENCE = milliseconds(8000);
/** The most of a body that is read. */
const MOST_BYTES = 5_000_000;
/** HTTP/2's flow control is not to be what limits. */
const WINDOW_BYTES = 2 ** 24;

/** Connects as a browser does: HTTP/2 where TLS offers it. Throws an Error of one line. */
export async function openConnection(origin: URL, insecure: boolean): Promise<Connection> {
  return (await offersHttp2(origin, insecure)) ? overHttp2(origin, insecure) : overHttp1(origin, insecure);
}

async function offersHttp2({ protocol, hostname, port }: URL, insecure: boolean): Promise<boolean> {
  if (protocol === 'http:') return false;
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connectTls({
    host,
    port: Number(port || 443),
    ALPNProtocols: ['h2', 'http/1.1'],
    rejectUnauthorized: !insecure,
    // A name for SNI; an address has none.
    ...(!/^[\d.]+$|:/.test(host) && { servername: host }),
  });
  try {
    await once(socket, 'secureConnect', { signal: AbortSignal.timeout(PATIENCE) });
    return socket.alpnProtocol === 'h2';
  } finally {
    socket.destroy();
  }
}

function overHttp1(origin: URL, insecure: boolean): Connection {
  const one = { keepAlive: true, maxSockets: 1 };
  const secure = origin.protocol === 'https:';
  const agent = secure ? new SecureAgent({ ...one, rejectUnauthorized: !insecure }) : new Agent(one);
  return {
    protocol: 'HTTP/1.1',
    async get(target, headers) {
      const signal = AbortSignal.timeout(PATIENCE);
      const options = { agent, headers, signal, path: target, method: 'GET' };
      const sent = secure ? httpsRequest(origin, options) : httpRequest(origin, options);
      const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
      return timed(response, response.statusCode ?? 0, response.headers);
    },
    close: () => agent.destroy(),
  };
}

async function overHttp2(origin: URL, insecure: boolean): Promise<Connection> {
  const session: ClientHttp2Session = connectHttp2(origin, {
    rejectUnauthorized: !insecure,
    settings: { initialWindowSize: WINDOW_BYTES },
  });
  await once(session, 'connect', { signal: AbortSignal.timeout(PATIENCE) });
  session.setLocalWindowSize(WINDOW_BYTES);
  return {
    protocol: 'HTTP/2',
    async get(target, headers) {
      const stream = session.request(
        { ':path': target, ...headers },
        { signal: AbortSignal.timeout(PATIENCE) },
      );
      const [fields] = (await once(stream, 'response')) as [IncomingHttpHeaders & { ':status'?: number }];
      return timed(stream, fields[':status'] ?? 0, fields);
    },
    close: () => session.destroy(),
  };
}

async function timed(body: Readable, status: number, headers: IncomingHttpHeaders): Promise<Timed> {
  let bytes = 0;
  const arrivals: Arrival[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) {
    arrivals.push({ at: milliseconds(performance.now()), bytes: chunk.length });
    bytes += chunk.length;
    if (bytes > MOST_BYTES)
      throw new Error('it sends more than was asked for; give the URL of one media segment');
  }
  return {
    status,
    header: (name) => headers[name.toLowerCase()]?.toString() ?? null,
    bytes,
    steady: steadyPart(arrivals),
  };
}

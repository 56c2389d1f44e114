import { once } from 'node:events';
import { Agent, request as httpRequest, type IncomingMessage } from 'node:http';
import { connect as connectHttp2, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { Agent as SecureAgent, request as httpsRequest } from 'node:https';
import type { Readable } from 'node:stream';
import { connect as connectTcp } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { milliseconds, type Milliseconds } from '../../src/units.ts';
import { errorLine } from '../../system/error-line.ts';
import { steadyPart, type Arrival } from './steady-part.ts';

/** A response and the arrival of its bytes. */
export interface Timed {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly bytes: number;
  /** The part of the body from which the rate is measured. */
  readonly steady: ReturnType<typeof steadyPart>;
}

/**
 * One connection, over which requests are sent one after the other. Only the first response then begins with packets
 * that TCP does not pace.
 */
export interface Connection {
  readonly protocol: 'HTTP/1.1' | 'HTTP/2';
  get(target: string, headers: Readonly<Record<string, string>>): Promise<Timed>;
  close(): void;
}

const PATIENCE = milliseconds(8000);
/** The maximum number of body bytes that are read. */
const MOST_BYTES = 5_000_000;
/** The window of HTTP/2's flow control. Large enough that flow control does not limit the rate. */
const WINDOW_BYTES = 2 ** 24;

/** Opens a connection like a browser: with HTTP/2 if TLS negotiates HTTP/2. Throws a one-line Error. */
export async function openConnection(origin: URL, insecure: boolean): Promise<Connection> {
  return (await offersHttp2(origin, insecure)) ? overHttp2(origin, insecure) : overHttp1(origin, insecure);
}

/** The number of handshakes to measure. The shortest is used, because a busy machine delays some of them. */
const HANDSHAKES = 8;

/**
 * Measures several TCP handshakes and returns the shortest time, ms: one round trip to the host that terminates the
 * connection. Null if a handshake fails.
 */
export async function handshakeTime({ protocol, hostname, port }: URL): Promise<Milliseconds | null> {
  const times: number[] = [];
  for (let n = 0; n < HANDSHAKES; n++) {
    const socket = connectTcp({
      host: hostname.replace(/^\[|\]$/g, ''),
      port: Number(port || (protocol === 'https:' ? 443 : 80)),
    });
    // Start the time after the DNS lookup.
    let began = performance.now();
    socket.once('lookup', () => (began = performance.now()));
    try {
      await once(socket, 'connect', { signal: AbortSignal.timeout(PATIENCE) });
      times.push(performance.now() - began);
    } catch {
      return null;
    } finally {
      socket.destroy();
    }
  }
  return milliseconds(Math.min(...times));
}

async function offersHttp2({ protocol, hostname, port }: URL, insecure: boolean): Promise<boolean> {
  if (protocol === 'http:') return false;
  const host = hostname.replace(/^\[|\]$/g, '');
  const socket = connectTls({
    host,
    port: Number(port || 443),
    ALPNProtocols: ['h2', 'http/1.1'],
    rejectUnauthorized: !insecure,
    // Send a host name for SNI, but not an address.
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

/** Returns the text at a URL, such as a manifest. Throws a one-line Error. */
export async function readText(url: URL, insecure: boolean): Promise<string> {
  const request = url.protocol === 'https:' ? httpsRequest : httpRequest;
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    const sent = request(url, {
      signal,
      ...(url.protocol === 'https:' && { rejectUnauthorized: !insecure }),
    });
    const [response] = (await once(sent.end(), 'response')) as [IncomingMessage];
    if (response.statusCode !== 200) throw new Error(`the status is ${response.statusCode}`);
    let text = '';
    for await (const chunk of response.setEncoding('utf8') as AsyncIterable<string>) {
      text += chunk;
      if (text.length > MOST_BYTES) throw new Error('it is too long for a manifest');
    }
    return text;
  } catch (error) {
    throw new Error(`the manifest ${url.href} cannot be read: ${errorLine(error)}`, { cause: error });
  }
}

async function timed(body: Readable, status: number, headers: IncomingHttpHeaders): Promise<Timed> {
  let bytes = 0;
  const arrivals: Arrival[] = [];
  for await (const chunk of body as AsyncIterable<Buffer>) {
    arrivals.push({ at: milliseconds(performance.now()), bytes: chunk.length });
    bytes += chunk.length;
    if (bytes > MOST_BYTES)
      throw new Error('the server sends more than was requested; give the URL of one media segment');
  }
  return {
    status,
    header: (name) => headers[name.toLowerCase()]?.toString() ?? null,
    bytes,
    steady: steadyPart(arrivals),
  };
}

import { once } from 'node:events';
import { connect as connectHttp2 } from 'node:http2';
import { connect, Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, expect, it, vi } from 'vitest';
import { createHandler } from '../handler.ts';
import { paceLimits } from '../policy.ts';
import { openSocketOptions } from './kernel/socket-options.ts';
import { selfSigned } from './self-signed.ts';
import { startEdge, type Edge } from './server.ts';

const BODY = new Uint8Array(300_000);
const CLIENTS = 12;
const handler = createHandler({
  origin: () => Promise.resolve(new Response(BODY, { headers: { 'Content-Length': String(BODY.length) } })),
  limits: paceLimits(),
});
/** A paced request. The kernel buffers its 300 kB at once, long before the client has received them. */
const PACED = '/1.m4s?CMCD=rtp%3D20000';

let edge: Edge;
afterEach(() => edge.close());
const counted = (responses: number) =>
  expect.poll(() => edge.stats, { timeout: 20_000 }).toMatchObject({ responses });

/** Requests a body over HTTP/1.1, and disconnects when `enough` bytes have arrived. */
async function hangUpHttp1(path: string, how: 'destroy' | 'resetAndDestroy', enough: number): Promise<void> {
  const socket = connect(edge.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`GET ${path} HTTP/1.1\r\nHost: edge\r\n\r\n`);
  let received = Buffer.alloc(0);
  socket.on('data', (chunk: Buffer) => {
    received = Buffer.concat([received, chunk]);
    if (received.length - received.indexOf('\r\n\r\n') - 4 >= enough) socket[how]();
  });
  await once(socket, 'close');
}

async function hangUpHttp2(path: string, how: 'destroy' | 'close', enough: number): Promise<void> {
  const session = connectHttp2(edge.url, { rejectUnauthorized: false });
  session.on('error', () => undefined);
  const stream = session.request({ ':path': path });
  stream.on('error', () => undefined);
  let received = 0;
  stream.on('data', (chunk: Buffer) => {
    received += chunk.length;
    if (received >= enough) session[how]();
  });
  await once(session, 'close');
}

// Without TCP statistics, it is unknown what a client that resets its connection has received.
const canTell = !('unavailable' in (await openSocketOptions()));
const together = (hangUp: () => Promise<void>) => Promise.all(Array.from({ length: CLIENTS }, hangUp));

it.skipIf(!canTell).each(['/1.m4s', PACED])(
  'a client that hangs up right after the last byte of %s has received it',
  async (path) => {
    edge = await startEdge({ handler });
    await together(() => hangUpHttp1(path, 'destroy', BODY.length));
    await together(() => hangUpHttp1(path, 'resetAndDestroy', BODY.length));
    await counted(2 * CLIENTS);
    expect(edge.stats.incomplete).toBe(0);
  },
  30_000,
);

it.skipIf(!canTell).each(['/1.m4s', PACED])(
  'a client that hangs up over HTTP/2 right after the last byte of %s has received it',
  async (path) => {
    edge = await startEdge({ handler, tls: await selfSigned() });
    await together(() => hangUpHttp2(path, 'destroy', BODY.length));
    await together(() => hangUpHttp2(path, 'close', BODY.length));
    await counted(2 * CLIENTS);
    expect(edge.stats.incomplete).toBe(0);
  },
  30_000,
);

it.skipIf(!canTell)(
  'a client that hangs up earlier has not received it',
  async () => {
    edge = await startEdge({ handler, tls: await selfSigned() });
    await together(() => hangUpHttp2('/1.m4s?CMCD=rtp%3D2000', 'destroy', 1));
    await counted(CLIENTS);
    expect(edge.stats.incomplete).toBe(CLIENTS);
    await edge.close();
    edge = await startEdge({ handler });
    await together(() => hangUpHttp1('/1.m4s?CMCD=rtp%3D2000', 'resetAndDestroy', 1));
    await counted(CLIENTS);
    expect(edge.stats.incomplete).toBe(CLIENTS);
  },
  60_000,
);

it.each(['HTTP/1.1', 'HTTP/2'])(
  'a client that hangs up before its response does not count as a failure to pace (%s)',
  async (protocol) => {
    let asked = 0;
    edge = await startEdge({
      handler: async (request) => {
        asked += 1;
        await once(request.signal, 'abort');
        return handler(request);
      },
      ...(protocol === 'HTTP/2' && { tls: await selfSigned() }),
    });
    const hangUp = async (): Promise<void> => {
      const client =
        protocol === 'HTTP/2'
          ? connectHttp2(edge.url, { rejectUnauthorized: false })
          : connect(edge.port, '127.0.0.1');
      client.on('error', () => undefined);
      const before = asked;
      if (client instanceof Socket) client.write(`GET ${PACED} HTTP/1.1\r\nHost: edge\r\n\r\n`);
      else client.request({ ':path': PACED }).on('error', () => undefined);
      await expect.poll(() => asked, { timeout: 10_000 }).toBe(before + 1);
      client.destroy();
      await once(client, 'close');
    };
    for (let client = 0; client < 3; client++) await hangUp();
    await counted(3);
    expect(edge.stats.reasons).toEqual({ requested: 3 });
    expect(edge.stats.incomplete).toBe(3);
  },
  30_000,
);

/**
 * Resolves in the turn of the event loop in which Node begins to end its side, because the client has ended its side.
 */
const serverEnds = (): Promise<void> =>
  new Promise((resolve) => {
    const end = vi.spyOn(Socket.prototype, 'end');
    end.mockImplementationOnce(function (this: Socket) {
      end.mockRestore();
      this.end();
      resolve();
      return this;
    });
  });

/**
 * A client's preface and SETTINGS, and HEADERS that request `/` of host `e` (RFC 9113 §3.4, §6.2; RFC 7541, Appendix
 * A).
 */
const ASK_HTTP2 =
  'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0\0\0\x06\x01\x05\0\0\0\x01\x82\x87\x84\x41\x01\x65';

it.each(['HTTP/1.1', 'HTTP/1.1 over TLS', 'HTTP/2'])(
  'closes the connection if the edge ends in the same turn in which a client disconnects (%s)',
  async (protocol) => {
    const secure = protocol !== 'HTTP/1.1';
    let asked = 0;
    edge = await startEdge({
      handler: ({ signal }) => {
        asked += 1;
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('gone'))));
      },
      ...(secure && { tls: await selfSigned() }),
    });
    const address = { port: edge.port, host: '127.0.0.1', rejectUnauthorized: false };
    const client = secure
      ? connectTls({ ...address, ALPNProtocols: [protocol === 'HTTP/2' ? 'h2' : 'http/1.1'] })
      : connect(address);
    client.on('error', () => undefined);
    client.write(protocol === 'HTTP/2' ? ASK_HTTP2 : 'GET / HTTP/1.1\r\nHost: e\r\n\r\n', 'latin1');
    await expect.poll(() => asked, { timeout: 10_000 }).toBe(1);
    client.end();
    await serverEnds();
    await edge.close();
    // libuv refuses to reset a connection that is being shut down, and its descriptor must be closed all the same.
    await expect.poll(() => edge.stats.connections, { timeout: 10_000 }).toBe(0);
    client.destroy();
  },
  30_000,
);

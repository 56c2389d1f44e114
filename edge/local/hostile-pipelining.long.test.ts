import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { Handler } from '../handler.ts';
import { selfSigned } from './self-signed.ts';
import { startEdge, type Edge, type EdgeOptions } from './server.ts';

let edge: Edge;
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await edge.close();
});
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 10 });

async function client(tls = false, from = '127.0.0.1'): Promise<Socket> {
  const to = { port: edge.port, host: '127.0.0.1', localAddress: from };
  const socket = tls ? connectTls({ ...to, rejectUnauthorized: false }) : connect(to);
  socket.on('error', () => undefined);
  sockets.push(socket);
  await first(socket, tls ? 'secureConnect' : 'connect');
  return socket;
}
/** Resolves to whether the event occurs before the connection ends. */
const first = (socket: Socket, event: string): Promise<boolean> =>
  new Promise((resolve) => {
    if (socket.destroyed) resolve(false);
    socket.once(event, () => resolve(true));
    socket.once('close', () => resolve(false));
  });
const request = (path: string, more = '') => `GET ${path} HTTP/1.1\r\nHost: edge\r\n${more}\r\n`;

describe.each([
  ['in the clear', false],
  ['over TLS', true],
])('requests pipelined %s', (_, tls) => {
  const start = async (handler: Handler, options: Partial<EdgeOptions> = {}) => {
    edge = await startEdge({ handler, ...options, ...(tls && { tls: await selfSigned() }) });
  };

  it('are not read while the maximum number waits', async () => {
    const asked: string[] = [];
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => (answer = resolve));
    await start(async ({ url }) => {
      asked.push(new URL(url).pathname);
      await answered;
      return new Response('x');
    });
    const socket = await client(tls);
    let heard = '';
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')));
    // 24 MB in total, more than the buffers of both sockets (at most 4 MB and 6 MB, tcp_wmem and tcp_rmem).
    const count = 120;
    const padding = `X-Padding: ${'x'.repeat(200_000)}\r\n`;
    for (let n = 0; n < count; n++) socket.write(request(`/${n}`, padding));
    await eventually(() => expect(asked).toHaveLength(1));
    await sleep(1500);
    expect(socket.writableLength).toBeGreaterThan(0);
    expect(asked).toHaveLength(1);
    answer();
    // When there is room, each request is read and answered in order.
    await eventually(() => expect(asked).toHaveLength(count));
    expect(asked).toEqual(Array.from({ length: count }, (_, n) => `/${n}`));
    await eventually(() => expect(heard.split('HTTP/1.1 200 OK')).toHaveLength(count + 1));
  }, 30_000);

  it('in one packet are parsed only while there is room', async () => {
    await start(() => new Promise(() => undefined));
    const socket = await client(tls);
    const before = process.memoryUsage().heapUsed;
    // Node reads 64 kB at once: two thousand requests of 30 bytes. Each parsed request takes some kilobytes of memory.
    for (let n = 0; n < 40; n++) socket.write(request('/', '').repeat(1500));
    await sleep(1000);
    expect(edge.stats.mostWaiting).toBeLessThan(100);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(100e6);
  });

  it('do not make the body of a request grow without limit', async () => {
    await start(() => new Promise(() => undefined));
    const socket = await client(tls);
    socket.write(`POST / HTTP/1.1\r\nHost: edge\r\nContent-Length: 100000000\r\n\r\n`);
    const piece = Buffer.alloc(1_000_000);
    for (let n = 0; n < 30; n++) socket.write(piece);
    await sleep(1000);
    expect(socket.writableLength).toBeGreaterThan(0);
  });

  it('wait behind a response that the client does not read, and are answered when it does', async () => {
    // The body is larger than the buffers of both sockets.
    const large = new Uint8Array(16_000_000);
    await start(({ url }) => Promise.resolve(new Response(url.endsWith('/large') ? large : 'x')));
    const socket = await client(tls);
    socket.write(request('/large'));
    await sleep(500);
    for (let n = 0; n < 20; n++) {
      socket.write(request('/small'));
      await sleep(10);
    }
    let received = 0;
    socket.on('data', (chunk: Buffer) => (received += chunk.length));
    await eventually(() => expect(received).toBeGreaterThan(large.length + 20 * 'HTTP/1.1 200 OK'.length));
    socket.write(request('/', 'Connection: close\r\n'));
    await once(socket, 'end');
  });

  it.each([
    ['no host', 'GET / HTTP/1.1\r\n'],
    ['an expectation that nobody meets', 'GET / HTTP/1.1\r\nHost: edge\r\nExpect: x\r\n'],
  ])('are not read without limit although Node answers them itself: %s', async (_, head) => {
    let asked = 0;
    await start(() => {
      asked += 1;
      return new Promise(() => undefined);
    });
    const socket = await client(tls);
    socket.write(request('/'));
    await eventually(() => expect(asked).toBe(1));
    const refused = `${head}X-Padding: ${'x'.repeat(20_000)}\r\n\r\n`;
    for (let n = 0; n < 1200; n++) socket.write(refused);
    await sleep(1000);
    expect(socket.writableLength).toBeGreaterThan(0);
  });

  it('end when their client closes its side after them', async () => {
    await start(() => Promise.resolve(new Response('x')));
    const socket = await client(tls);
    let heard = '';
    socket.on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')));
    socket.write(request('/').repeat(100) + request('/', 'Connection: close\r\n'));
    await once(socket, 'end');
    expect(heard.split('HTTP/1.1 200 OK')).toHaveLength(102);
    await eventually(() => expect(edge.stats.connections).toBe(0));
  });
});

describe('connections', () => {
  const handler: Handler = () => Promise.resolve(new Response('x'));
  const isServed = (socket: Socket): Promise<boolean> => {
    socket.write(request('/'));
    return first(socket, 'data');
  };

  it('of one address are limited, and leave room for others', async () => {
    edge = await startEdge({ handler, maxConnectionsPerAddress: 3 });
    const clients = [];
    for (let n = 0; n < 5; n++) clients.push(await client());
    expect(await Promise.all(clients.map(isServed))).toEqual([true, true, true, false, false]);
    expect(await isServed(await client(false, '127.0.0.2'))).toBe(true);
    expect(edge.stats).toMatchObject({ connections: 4, refusedConnections: 2 });
    clients[0]?.destroy();
    await eventually(() => expect(edge.stats.connections).toBe(3));
    expect(await isServed(await client())).toBe(true);
  });

  it('are limited in total', async () => {
    edge = await startEdge({ handler, maxConnections: 2 });
    const clients = [await client(), await client(false, '127.0.0.2'), await client(false, '127.0.0.3')];
    expect(await Promise.all(clients.map(isServed))).toEqual([true, true, false]);
    expect(edge.stats).toMatchObject({ connections: 2, refusedConnections: 1 });
  });

  it('are refused over TLS as well', async () => {
    edge = await startEdge({ handler, tls: await selfSigned(), maxConnections: 1 });
    expect(await isServed(await client(true))).toBe(true);
    const second = await client(true);
    await eventually(() => expect(second.destroyed).toBe(true));
  });
});

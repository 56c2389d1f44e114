import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { connect as connectHttp2 } from 'node:http2';
import { connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { once } from 'node:events';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { milliseconds } from '../../src/units.ts';
import { createHandler, type Handler } from '../handler.ts';
import { paceLimits } from '../policy.ts';
import { directoryOrigin } from './directory-origin.ts';
import { selfSigned } from './self-signed.ts';
import { startEdge, type Edge, type ResponseEvent } from './server.ts';
import { openSocketOptions } from './kernel/socket-options.ts';

// The descriptors of this process, which include both ends of each connection and the open files.
const canCount = process.platform === 'linux';
const descriptors = () => readdirSync('/proc/self/fd').length;
const CLIENTS = 25;
/** More than the kernel buffers for a client that does not read. */
const FILE_BYTES = 60_000_000;

let root: string;
let handler: Handler;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'edge-hostile-'));
  writeFileSync(join(root, '1.m4s'), Buffer.alloc(FILE_BYTES));
  handler = createHandler({ origin: await directoryOrigin(root), limits: paceLimits() });
});
afterAll(() => rmSync(root, { recursive: true }));

const eventually = (check: () => void) => vi.waitFor(check, { timeout: 10_000, interval: 10 });
const ask = (edge: Edge, query = ''): Socket => {
  const socket = connect(edge.port, '127.0.0.1');
  socket.on('error', () => undefined);
  socket.write(`GET /1.m4s${query} HTTP/1.1\r\nHost: edge\r\n\r\n`);
  return socket;
};
async function beginning(sockets: readonly Socket[]): Promise<void> {
  await Promise.all(sockets.map((socket) => once(socket, 'readable')));
}

it.skipIf(!canCount)('leaves nothing open after clients vanish during a body', async () => {
  const before = descriptors();
  const edge = await startEdge({ handler });
  const clients = Array.from({ length: CLIENTS }, (_, n) => ask(edge, n % 2 ? '?CMCD=rtp%3D2000' : ''));
  await beginning(clients);
  // Each client needs a socket on both sides and a file.
  expect(descriptors()).toBeGreaterThanOrEqual(before + 3 * CLIENTS);
  for (const [n, client] of clients.entries()) {
    if (n % 3 === 0) client.destroy();
    else client.resetAndDestroy();
  }
  await eventually(() => expect(edge.stats).toMatchObject({ connections: 0, incomplete: CLIENTS }));
  await edge.close();
  await eventually(() => expect(descriptors()).toBeLessThanOrEqual(before));
});

it.skipIf(!canCount)('disconnects clients that do not read, and leaves nothing open', async () => {
  const before = descriptors();
  const edge = await startEdge({ handler, clientPatience: milliseconds(300) });
  const clients = Array.from({ length: CLIENTS }, () => ask(edge));
  await beginning(clients);
  await eventually(() => expect(edge.stats).toMatchObject({ connections: 0, incomplete: CLIENTS }));
  // The edge's descriptors are closed. The clients' sockets are still open, because the clients do not read.
  await eventually(() => expect(descriptors()).toBeLessThan(before + 2 * CLIENTS));
  for (const client of clients) client.destroy();
  await edge.close();
  await eventually(() => expect(descriptors()).toBeLessThanOrEqual(before));
});

it('aborts a stream whose client opens no window, and closes its file', async () => {
  const events: ResponseEvent[] = [];
  const edge = await startEdge({
    handler,
    tls: await selfSigned(),
    clientPatience: milliseconds(300),
    onResponse: (event) => events.push(event),
  });
  const client = connectHttp2(edge.url, { rejectUnauthorized: false });
  // The stream is never read, so after the initial window of 64 kB nothing may be sent.
  const stream = client.request({ ':path': '/1.m4s' });
  stream.on('error', () => undefined);
  await eventually(() => expect(events).toHaveLength(1));
  expect(events[0]).toMatchObject({ complete: false });
  client.destroy();
  await edge.close();
});

const canPace = !('unavailable' in (await openSocketOptions()));
it.skipIf(!canPace)('a pace near zero is refused', async () => {
  const events: ResponseEvent[] = [];
  const edge = await startEdge({ handler, onResponse: (event) => events.push(event) });
  const client = ask(edge, '?CMCD=io.github.dashjs-sammy%2Crtp%3D1');
  const [head] = (await once(client, 'data')) as [Buffer];
  expect(head.toString('latin1')).toContain('io.github.dashjs-sammy-pace=100\r\n');
  client.destroy();
  await eventually(() => expect(events[0]).toMatchObject({ asked_kbps: 1, pace_kbps: 100, reason: 'floor' }));
  await edge.close();
});

it.skipIf(!canPace).each([
  ['that stays open', ''],
  ['that the client asks to close', 'Connection: close\r\n'],
])(
  'every pace ends at its time limit on a connection %s',
  async (_, header) => {
    const events: ResponseEvent[] = [];
    const edge = await startEdge({
      handler,
      longestPaced: milliseconds(1000),
      onResponse: (event) => events.push(event),
    });
    const client = connect(edge.port, '127.0.0.1');
    client.on('error', () => undefined);
    let received = 0;
    client.on('data', (chunk: Buffer) => (received += chunk.length));
    // Without the limit of 1 s, 2 MB take 16 s at 1 Mbit/s. The kernel buffers them at once, and Node alone would then
    // close the connection.
    client.write(
      `GET /1.m4s?CMCD=io.github.dashjs-sammy%2Crtp%3D1000 HTTP/1.1\r\nHost: edge\r\nRange: bytes=0-1999999\r\n${header}\r\n`,
    );
    const began = performance.now();
    await vi.waitFor(() => expect(received).toBeGreaterThan(2_000_000), { timeout: 12_000, interval: 10 });
    expect(performance.now() - began).toBeGreaterThan(900);
    await eventually(() => expect(events[0]).toMatchObject({ complete: true, bytes: 2_000_000 }));
    if (header !== '') await eventually(() => expect(edge.stats.connections).toBe(0));
    client.destroy();
    await edge.close();
  },
  30_000,
);

/**
 * Returns the number of connections to a local port whose SYN has not been answered, from /proc/net/tcp
 * (include/net/tcp_states.h).
 */
function unanswered(port: number): number {
  const SYN_SENT = '02';
  const hexPort = port.toString(16).toUpperCase().padStart(4, '0');
  const rows = readFileSync('/proc/net/tcp', 'latin1').split('\n');
  return rows.filter((row) => row.includes(`:${hexPort} ${SYN_SENT} `)).length;
}

/** The time after which a client resends a SYN that the kernel has dropped. */
const SENT_AGAIN_MS = 1000;

/**
 * Returns the number of SYNs that remain unanswered until shortly before clients resend them. On a busy machine, the
 * kernel may answer late. The wait blocks the event loop, because the edge in this process must not accept connections.
 */
function staysUnanswered(port: number): number {
  const nobody = new Int32Array(new SharedArrayBuffer(4));
  const deadline = performance.now() + 0.7 * SENT_AGAIN_MS;
  while (unanswered(port) > 0 && performance.now() < deadline) Atomics.wait(nobody, 0, 0, 5);
  return unanswered(port);
}

const kernelKeeps = canCount ? Number(readFileSync('/proc/sys/net/core/somaxconn', 'latin1')) : 0;
it.skipIf(kernelKeeps < 1024)('the kernel accepts hundreds of simultaneous connections', async () => {
  const edge = await startEdge({ handler, maxConnectionsPerAddress: 1000 });
  const clients = Array.from({ length: 800 }, () =>
    connect(edge.port, '127.0.0.1').on('error', () => undefined),
  );
  // Node connects in the next tick, before the edge accepts any connection.
  await new Promise((resolve) => process.nextTick(resolve));
  const late = staysUnanswered(edge.port);
  for (const client of clients) client.destroy();
  await edge.close();
  expect(late).toBe(0);
});

import { connect, type ClientHttp2Session, type IncomingHttpHeaders } from 'node:http2';
import { request as httpsRequest } from 'node:https';
import { once } from 'node:events';
import { connect as connectTls } from 'node:tls';
import fc from 'fast-check';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { bytes, kbps, averageRate, seconds } from '../../src/units.ts';
import { parseReceipt } from '../../src/wire/receipt.ts';
import { createHandler } from '../handler.ts';
import { paceLimits } from '../policy.ts';
import type { Certificate } from './http-server.ts';
import { selfSigned } from './self-signed.ts';
import { startEdge, type Edge, type ResponseEvent } from './server.ts';
import { openSocketOptions } from './kernel/socket-options.ts';

const unavailable = await openSocketOptions().then((opened) =>
  'unavailable' in opened ? opened.unavailable : null,
);
const onPacingPlatform = it.skipIf(unavailable !== null);

let certificate: Certificate;
beforeAll(async () => {
  certificate = await selfSigned();
});

let edge: Edge;
let client: ClientHttp2Session;
let events: ResponseEvent[];
const cancelled = vi.fn();
beforeEach(async () => {
  events = [];
  edge = await startEdge({
    handler: createHandler({ limits: paceLimits(), origin: sized }),
    tls: certificate,
    onResponse: (event) => events.push(event),
  });
  client = connect(edge.url, { rejectUnauthorized: false, settings: { initialWindowSize: 2 ** 22 } });
  await once(client, 'connect');
  client.setLocalWindowSize(2 ** 24);
});
afterEach(async () => {
  client.destroy();
  await edge.close();
  cancelled.mockClear();
});

/** A handler that responds to `/N` with N bytes. */
const sized = (request: Request) => {
  let left = Number(new URL(request.url).pathname.slice(1));
  const body = new ReadableStream({
    pull(controller) {
      const size = Math.min(left, 100_000);
      controller.enqueue(new Uint8Array(size));
      left -= size;
      if (left === 0) controller.close();
    },
    cancel: cancelled,
  });
  return Promise.resolve(new Response(body));
};

async function get(size: number, rtp?: number) {
  const began = performance.now();
  const stream = client.request({ ':path': `/${size}${rtp === undefined ? '' : `?CMCD=rtp%3D${rtp}`}` });
  const [headers] = (await once(stream, 'response')) as [IncomingHttpHeaders];
  let received = 0;
  for await (const chunk of stream as AsyncIterable<Buffer>) received += chunk.length;
  return {
    received,
    receipt: parseReceipt((name) => headers[name.toLowerCase()]?.toString()),
    throughput: averageRate(bytes(received), seconds((performance.now() - began) / 1000)),
  };
}
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 15_000, interval: 5 });

describe('one connection, several responses', () => {
  onPacingPlatform('adds up their paces, and subtracts those of ended responses', async () => {
    // Use up the first window of the connection, which is not paced and has some hundred kilobytes on loopback.
    await get(1_000_000, 40_000);
    const alone = await get(1_500_000, 10_000);
    const [one, other] = await Promise.all([get(1_500_000, 10_000), get(1_500_000, 10_000)]);
    expect([one.received, other.received]).toEqual([1_500_000, 1_500_000]);
    expect(one.receipt.pace_kbps).toBe(10_000);
    expect(other.receipt).toMatchObject({ pace_kbps: 10_000, socket_pace_kbps: 20_000 });
    expect(other.receipt.connection).toBe(one.receipt.connection);
    // Each of the two takes as long as one alone. If the socket had the pace of one, both would take twice as long.
    expect(alone.throughput / Math.min(one.throughput, other.throughput)).toBeLessThan(1.6);

    const after = await get(1_500_000, 10_000);
    expect(after.receipt).toMatchObject({ pace_kbps: 10_000 });
    expect(after.receipt.socket_pace_kbps).toBeUndefined();
    expect(after.throughput / 10_000).toBeLessThan(1.3);

    await eventually(() => expect(events).toHaveLength(5));
    expect(events.every(({ complete }) => complete)).toBe(true);
    expect(edge.stats).toMatchObject({ connections: 1, responses: 5, incomplete: 0 });
  });

  onPacingPlatform('does not hold back one without a pace', async () => {
    const pace = 4000;
    const slow = get(1_500_000, pace);
    await eventually(() => expect(edge.stats.connections).toBe(1));
    const fast = await get(4_000_000);
    expect(fast.receipt).toMatchObject({ pace_kbps: null, reason: 'no-rtp' });
    expect(fast.throughput / pace).toBeGreaterThan(3);
    expect((await slow).received).toBe(1_500_000);
  });
});

describe('canceled streams', () => {
  it('release their body, and do not affect other streams of the connection', async () => {
    const stream = client.request({ ':path': '/100000000?CMCD=rtp%3D50000' });
    await once(stream, 'response');
    stream.close(8);
    await eventually(() => expect(events).toHaveLength(1));
    expect(events[0]?.complete).toBe(false);
    expect(cancelled).toHaveBeenCalledOnce();
    expect((await get(1000)).received).toBe(1000);
    expect(edge.stats.connections).toBe(1);
  });

  it('release their body when the whole connection closes', async () => {
    const stream = client.request({ ':path': '/100000000' });
    stream.on('error', () => undefined);
    await once(stream, 'response');
    client.destroy();
    await eventually(() => expect(edge.stats).toMatchObject({ connections: 0, incomplete: 1 }));
    expect(cancelled).toHaveBeenCalledOnce();
  });
});

it('serves HTTP/1.1 over TLS to clients without HTTP/2', async () => {
  const request = httpsRequest(`${edge.url}/1000?CMCD=rtp%3D9900`, { rejectUnauthorized: false }).end();
  const [response] = (await once(request, 'response')) as [import('node:http').IncomingMessage];
  let received = 0;
  for await (const chunk of response as AsyncIterable<Buffer>) received += chunk.length;
  expect([response.httpVersion, received]).toEqual(['1.1', 1000]);
  await eventually(() => expect(events).toHaveLength(1));
  expect(events[0]).toMatchObject({ asked_kbps: kbps(9900), complete: true });
});

it('disconnects clients that do not use TLS', async () => {
  await expect(fetch(edge.url.replace('https:', 'http:'))).rejects.toThrow();
  expect((await get(1000)).received).toBe(1000);
});

it('survives invalid frames, and continues to serve other clients', async () => {
  const preface = Buffer.from('PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0', 'latin1');
  // Frames with random length, type, flags, stream and payload (RFC 9113 §4.1).
  const frame = fc
    .tuple(fc.uint8Array({ maxLength: 64 }), fc.nat(12), fc.nat(255), fc.nat(7), fc.boolean())
    .map(([payload, type, flags, stream, lies]) => {
      const length = lies ? payload.length * 3 + 1 : payload.length;
      return Buffer.concat([Buffer.from([0, 0, length, type, flags, 0, 0, 0, stream]), payload]);
    });
  const inputs = fc.sample(fc.array(frame, { minLength: 1, maxLength: 6 }), { numRuns: 200, seed: 9113 });
  await Promise.all(
    inputs.map(async (frames) => {
      const socket = connectTls({ port: edge.port, ALPNProtocols: ['h2'], rejectUnauthorized: false });
      socket.on('error', () => undefined);
      socket.resume();
      socket.end(Buffer.concat([preface, ...frames]));
      await once(socket, 'close');
    }),
  );
  expect((await get(1000)).received).toBe(1000);
  await eventually(() => expect(edge.stats.connections).toBe(1));
});

import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { parseReceipt } from '../../src/wire/receipt.ts';
import { freePort } from '../../system/free-port.ts';
import { createHandler } from '../handler.ts';
import { paceLimits } from '../policy.ts';
import { startEdge, type Edge } from './server.ts';
import { openSocketOptions } from './kernel/socket-options.ts';

const onLinux = it.skipIf('unavailable' in (await openSocketOptions()));

/** Requests 300 kbit/s with the plug-in's key, because the edge gives other players at least 3,000 kbit/s. */
const PACED = '?CMCD=io.github.dashjs-sammy%2Crtp%3D300';

let edge: Edge;
afterEach(() => edge.close());
const handler = createHandler({
  origin: () => Promise.resolve(new Response('media')),
  limits: paceLimits(),
});

async function from(localPort: number, host: string): Promise<Socket> {
  // On Linux, all of 127.0.0.0/8 is loopback, so two connections can have the same client address and port.
  const socket = connect({ port: edge.port, host, localAddress: '127.0.0.9', localPort });
  socket.on('error', () => undefined);
  await once(socket, 'connect');
  return socket;
}
async function ask(socket: Socket, query = '') {
  socket.write(`GET /1.m4s${query} HTTP/1.1\r\nHost: edge\r\n\r\n`);
  const [heard] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [unknown];
  const lines = Buffer.isBuffer(heard) ? heard.toString('latin1').split('\r\n') : [];
  const headers = new Map(lines.slice(1).map((line) => line.split(': ', 2) as [string, string]));
  return {
    status: lines[0] ?? 'closed',
    receipt: parseReceipt((name) => headers.get(name.toLowerCase()) ?? headers.get(name)),
  };
}

onLinux('two connections from one source port to two local addresses have each their own pace', async () => {
  edge = await startEdge({ handler, host: '0.0.0.0' });
  const port = await freePort();
  const first = await from(port, '127.0.0.1');
  const second = await from(port, '127.0.0.2');
  const [one, other] = [await ask(first), await ask(second, PACED)];
  expect(other.receipt.connection).not.toBe(one.receipt.connection);
  expect(other.receipt.pace_kbps).toBe(300);
  expect((await ask(first)).receipt).toMatchObject({ pace_kbps: null, connection: one.receipt.connection });
  // When one connection closes, the other must still be known.
  first.resetAndDestroy();
  await expect.poll(() => edge.stats.connections).toBe(1);
  expect((await ask(second)).receipt.connection).toBe(other.receipt.connection);
  second.destroy();
});

onLinux('a source port that comes back after a reset is another connection, and is served', async () => {
  edge = await startEdge({ handler });
  const port = await freePort();
  const seen = new Set<string>();
  const statuses = new Set<string>();
  for (let n = 0; n < 200; n++) {
    const socket = await from(port, '127.0.0.1');
    const { status, receipt } = await ask(socket, n % 2 ? PACED : '');
    expect(receipt.pace_kbps).toBe(n % 2 ? 300 : null);
    statuses.add(status);
    seen.add(receipt.connection ?? '');
    socket.resetAndDestroy();
  }
  expect([...statuses]).toEqual(['HTTP/1.1 200 OK']);
  expect(seen.size).toBe(200);
});

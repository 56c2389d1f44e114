import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, get, type IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import { connect as connectSocket, type Socket } from 'node:net';
import { expect, it } from 'vitest';
import { milliseconds } from '../../src/units.ts';
import { createHandler } from '../handler.ts';
import { paceLimits } from '../policy.ts';
import { startEdge } from './server.ts';
import { selfSigned } from './self-signed.ts';

/** A drain timeout that no test reaches, even on a busy machine. */
const PATIENCE = milliseconds(60_000);
const BODY = new Uint8Array(4_000_000);
const handler = createHandler({
  origin: () => Promise.resolve(new Response(BODY, { headers: { 'Content-Length': String(BODY.length) } })),
  limits: paceLimits(),
});
/**
 * A request whose response takes at most 1.6 s: 4 MB at 20 Mbit/s. TCP sends its first window, some hundred kilobytes
 * on loopback, unpaced.
 */
const SLOWLY = '/1.m4s?CMCD=rtp%3D20000';

const bodyLength = async (response: IncomingMessage): Promise<number> => {
  let length = 0;
  for await (const chunk of response) length += (chunk as Buffer).length;
  return length;
};

it('lets responses in flight complete, closes idle connections, and accepts no more', async () => {
  const edge = await startEdge({ handler });
  const agent = new Agent({ keepAlive: true });
  const [idle] = (await once(get(`${edge.url}/0.m4s`, { agent }), 'response')) as [IncomingMessage];
  const idleSocket = idle.socket;
  await bodyLength(idle);
  const [slow] = (await once(get(edge.url + SLOWLY, { agent: new Agent() }), 'response')) as [
    IncomingMessage,
  ];
  const reading = bodyLength(slow);
  const idleClosed = idleSocket.destroyed ? undefined : once(idleSocket, 'close');
  const drained = edge.drain(PATIENCE);
  await expect(fetch(`${edge.url}/2.m4s`)).rejects.toThrow();
  await idleClosed;
  expect(await reading).toBe(BODY.length);
  await drained;
  expect(edge.stats).toMatchObject({ connections: 0, responses: 2, incomplete: 0 });
  agent.destroy();
});

it('waits for a response that is completely in the kernel’s buffer until the client has received it', async () => {
  const small = new Uint8Array(400_000);
  const edge = await startEdge({
    handler: createHandler({ origin: () => Promise.resolve(new Response(small)), limits: paceLimits() }),
  });
  // At most 1.1 s: 400 kB at 3 Mbit/s, the lowest pace of a player without the plug-in. The first window is unpaced.
  const asked = get(`${edge.url}/1.m4s?CMCD=rtp%3D2000`, { agent: new Agent({ keepAlive: true }) });
  const [slow] = (await once(asked, 'response')) as [IncomingMessage];
  const [reading, drained] = [bodyLength(slow), edge.drain(PATIENCE)];
  expect(await reading).toBe(small.length);
  await drained;
  expect(edge.stats).toMatchObject({ connections: 0, responses: 1, incomplete: 0 });
});

it('lets the streams of an HTTP/2 connection end', async () => {
  const edge = await startEdge({ handler, tls: await selfSigned() });
  const session = connect(edge.url, { rejectUnauthorized: false });
  const stream = session.request({ ':path': SLOWLY });
  await once(stream, 'response');
  const drained = edge.drain(PATIENCE);
  let length = 0;
  for await (const chunk of stream) length += (chunk as Buffer).length;
  expect(length).toBe(BODY.length);
  await drained;
  // Do not check incomplete responses, because a client that disconnects at once may or may not acknowledge GOAWAY.
  expect(edge.stats).toMatchObject({ connections: 0, responses: 1 });
  session.destroy();
});

it('closes connections after its timeout', async () => {
  const edge = await startEdge({ handler });
  const asked = get(edge.url + SLOWLY);
  const [slow] = (await once(asked, 'response')) as [IncomingMessage];
  asked.on('error', () => undefined);
  const reading = bodyLength(slow).catch(() => 'broken off');
  await edge.drain(milliseconds(50));
  expect(await reading).toBe('broken off');
  expect(edge.stats).toMatchObject({ responses: 1, incomplete: 1 });
  await edge.close();
});

it('ends in time with hundreds of open connections, half of which request and read nothing', async () => {
  // The edge writes these 200 kB at once, but they do not arrive in time, because the clients do not read.
  const small = new Uint8Array(200_000);
  const edge = await startEdge({
    handler: createHandler({ origin: () => Promise.resolve(new Response(small)), limits: paceLimits() }),
    maxConnectionsPerAddress: 400,
  });
  const clients: Socket[] = [];
  while (clients.length < 400) {
    const client = connectSocket(edge.port, '127.0.0.1').on('error', () => undefined);
    if (clients.length % 2 === 0) client.write('GET /1.m4s?CMCD=rtp%3D100 HTTP/1.1\r\nHost: edge\r\n\r\n');
    clients.push(client);
    // Do not exceed the accept queue, because the kernel would drop connections, which retry seconds later.
    if (clients.length % 100 === 0) {
      const accepted = () => edge.stats.connections;
      await expect.poll(accepted, { timeout: 30_000, interval: 5 }).toBe(clients.length);
    }
  }
  await Promise.all(clients.filter((_, index) => index % 2 === 0).map((client) => once(client, 'readable')));
  const drained = edge.drain(milliseconds(300));
  await expect.poll(() => edge.stats.connections, { timeout: 10_000 }).toBeLessThanOrEqual(200);
  await drained;
  expect(edge.stats).toMatchObject({ responses: 200, incomplete: 200 });
  await expect.poll(() => edge.stats.connections).toBe(0);
  for (const client of clients) client.destroy();
}, 60_000);

it('keeps the process alive until it is done, although a handler never answers', async () => {
  const server = JSON.stringify(new URL('server.ts', import.meta.url));
  const code = `
    const { startEdge } = await import(${server});
    const edge = await startEdge({ handler: () => new Promise(() => process.stdout.write('asked ')) });
    const { connect } = await import('node:net');
    const client = connect(edge.port, '127.0.0.1').on('error', () => undefined);
    client.write('GET / HTTP/1.1\\r\\nHost: edge\\r\\n\\r\\n');
    while (edge.stats.mostWaiting === 0) await new Promise((resolve) => setTimeout(resolve, 10));
    await edge.close();
    console.log('closed');`;
  const child = spawn(process.execPath, ['--import', 'tsx', '--input-type=module', '-e', code], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (chunk: Buffer) => (said += chunk.toString()));
  const [status] = (await once(child, 'close')) as [number];
  expect(said).toBe('asked closed\n');
  // Node's status would be 13 for an unfinished top-level await.
  expect(status).toBe(0);
}, 30_000);

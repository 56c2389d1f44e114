import { once } from 'node:events';
import { Agent, get as httpGet, type IncomingMessage } from 'node:http';
import { connect as connectHttp2, type ClientHttp2Session } from 'node:http2';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { CHANGE_KEY, CHANGE_PATH, PLUGIN_KEY } from '../../../src/wire/rtp.ts';
import { createHandler } from '../../handler.ts';
import { paceLimits } from '../../policy.ts';
import { selfSigned } from '../self-signed.ts';
import { startEdge, type Edge, type ResponseEvent } from '../server.ts';
import { PaceChanges } from './pace-changes.ts';
import { takeChanges } from './take-changes.ts';

const SEGMENT_BYTES = 500_000;
const createSecret = (number: number): string => number.toString(16).padStart(32, '0');
const changeKey = (secret: string): string => `${CHANGE_KEY}="${secret}"`;
const cmcd = (...keys: string[]): string => `?CMCD=${encodeURIComponent([PLUGIN_KEY, ...keys].join(','))}`;
const missing = process.platform === 'linux' ? undefined : 'not Linux';

let edge: Edge | undefined;
afterEach(() => edge?.close());

async function serve(tls?: Awaited<ReturnType<typeof selfSigned>>) {
  const changes = new PaceChanges();
  const events: ResponseEvent[] = [];
  const limits = paceLimits({ ceiling_kbps: 50_000 });
  const handler = createHandler({
    origin: () => Promise.resolve(new Response(new Uint8Array(SEGMENT_BYTES))),
    limits,
  });
  const warnings: string[] = [];
  edge = await startEdge({
    handler: takeChanges(handler, { limits: () => limits, apply: (change) => void changes.apply(change) }),
    changes,
    onResponse: (event) => events.push(event),
    onWarning: (line) => warnings.push(line),
    ...(tls && { tls }),
  });
  return { edge, changes, events, warnings };
}

const requestStatus = async (url: string, method = 'POST'): Promise<number> =>
  (await fetch(url, { method })).status;

it('rejects an unreadable change, and changes with other methods or paths', async () => {
  const { edge } = await serve();
  const secret = changeKey(createSecret(1));
  for (const rtp of [
    '0',
    '-5',
    '1e5',
    'NaN',
    'Infinity',
    '5000.5',
    '100000001',
    '"5000"',
    '(5000)',
    '5000,rtp=1',
  ])
    expect([rtp, await requestStatus(edge.url + CHANGE_PATH + cmcd(`rtp=${rtp}`, secret))]).toEqual([
      rtp,
      400,
    ]);
  for (const text of ['', 'f'.repeat(31), 'f'.repeat(33), 'F'.repeat(32)])
    expect([text, await requestStatus(edge.url + CHANGE_PATH + cmcd('rtp=5000', changeKey(text)))]).toEqual([
      text,
      400,
    ]);
  const keys = Array.from({ length: 2000 }, (_, index) => `com.example-${index}=1`);
  expect(await requestStatus(edge.url + CHANGE_PATH + cmcd('rtp=5000', secret, ...keys))).toBe(400);
  for (const method of ['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'])
    expect([method, await requestStatus(edge.url + CHANGE_PATH + cmcd('rtp=5000', secret), method)]).toEqual([
      method,
      405,
    ]);
  for (const path of ['/', '%2f', '/x'])
    expect(await requestStatus(`${edge.url}${CHANGE_PATH}${path}${cmcd('rtp=5000', secret)}`)).toBe(405);
});

it.each([
  ['drips', 'Transfer-Encoding: chunked', '1\r\na\r\n'],
  ['has a gigabyte', 'Content-Length: 1000000000', 'a'.repeat(60_000)],
])('closes the connection of a change whose body %s', async (_, length, drip) => {
  const { edge } = await serve();
  const socket = connect(edge.port, '127.0.0.1').on('error', () => undefined);
  let heard = '';
  socket.on('data', (chunk: Buffer) => (heard += chunk.toString('latin1')));
  const closed = new Promise((resolve) => socket.once('close', resolve));
  socket.write(
    `POST ${CHANGE_PATH}${cmcd('rtp=5000', changeKey(createSecret(1)))} HTTP/1.1\r\nHost: edge\r\n${length}\r\n\r\n`,
  );
  while (!socket.destroyed) {
    socket.write(drip);
    await sleep(5);
  }
  await closed;
  // The kernel resets a connection with unread bytes, and the client may then lose the response.
  expect(heard).toMatch(/^(HTTP\/1\.1 204 |$)/);
  await vi.waitFor(() => expect(edge.stats.connections).toBe(0), 10_000);
});

it.skipIf(missing !== undefined)(
  'applies a change that races with the end of its response to no later response of the connection',
  async () => {
    const { edge, changes, events, warnings } = await serve();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const read = async (query: string): Promise<void> => {
      const [response] = (await once(httpGet(`${edge.url}/1.m4s${query}`, { agent }), 'response')) as [
        IncomingMessage,
      ];
      response.resume();
      await once(response, 'end');
    };
    let current = 0;
    let isOver = false;
    const racing = Array.from({ length: 4 }, async (_, index) => {
      for (let count = index; !isOver; count++) {
        const keys = count % 3 === 0 ? [] : [`rtp=${count % 3 === 1 ? 100 : 50_000}`];
        // Include the secret of the previous response, to test a replay.
        const change = cmcd(...keys, changeKey(createSecret(current - (count % 2))));
        await requestStatus(edge.url + CHANGE_PATH + change);
      }
    });
    for (current = 1; current <= 25; current++) {
      await read(cmcd('rtp=20000', 'br=10000', changeKey(createSecret(current))));
      await read('');
      // Wait for the report, because its statistics must not include the next pace.
      await vi.waitFor(() => expect(events).toHaveLength(2 * current));
    }
    isOver = true;
    await Promise.all(racing);
    const measureRates = (some: readonly ResponseEvent[]) =>
      some.map(({ tcp }) => ((tcp?.max_pacing_rate ?? 0) * 8) / 1000);
    // Responses without a pace are unpaced, and no paced response was below the rate that playback needs.
    expect(measureRates(events.filter(({ url }) => url === '/1.m4s'))).toEqual(Array(25).fill(0));
    for (const rate of measureRates(events).filter((rate) => rate > 0))
      expect(rate).toBeGreaterThanOrEqual(10_000);
    expect(edge.stats.changedPaces).toBeGreaterThan(25);
    expect(changes.size).toBe(0);
    expect(warnings).toEqual([]);
  },
  120_000,
);

it.skipIf(missing !== undefined)(
  'keeps nothing of a flood of secrets and changes over HTTP/2, and changes no other connection',
  async () => {
    const { edge, changes, events, warnings } = await serve(await selfSigned());
    const open = async (): Promise<ClientHttp2Session> => {
      const session = connectHttp2(edge.url, { rejectUnauthorized: false });
      await once(session, 'connect');
      return session;
    };
    const [viewer, hostile] = [await open(), await open()];
    /** Sends a request, and resolves to the status when the response has ended. */
    const ask = async (
      session: ClientHttp2Session,
      method: string,
      path: string,
      body = '',
    ): Promise<number> => {
      const stream = session.request({ ':method': method, ':path': path }).on('error', () => undefined);
      if (method === 'POST') stream.end(body);
      let status = 0;
      stream.on('response', (headers) => (status = headers[':status'] ?? 0)).resume();
      await once(stream, 'close');
      return status;
    };
    // 500 kB take 4 s at 1000 kbit/s.
    const watched = ask(viewer, 'GET', `/1.m4s${cmcd('rtp=1000', changeKey(createSecret(0xabc)))}`);
    await vi.waitFor(() => expect(changes.size).toBe(1));
    let most = 0;
    for (let round = 0; round < 40; round++) {
      const flood = Array.from({ length: 15 }, (_, index) => {
        const secret = changeKey(createSecret(1000 + round * 15 + index));
        return index % 5 === 0
          ? ask(hostile, 'GET', `/1.m4s${cmcd('rtp=50000', secret)}`)
          : ask(hostile, 'POST', CHANGE_PATH + cmcd('rtp=50000', secret), 'a'.repeat(2000));
      });
      await sleep(1);
      most = Math.max(most, changes.size);
      for (const status of await Promise.all(flood)) expect([200, 204]).toContain(status);
    }
    expect(await watched).toBe(200);
    // The viewer's response, and the three GET requests of one round on the hostile connection.
    expect(most).toBeLessThanOrEqual(1 + 3);
    const paced = events.find(({ pace_kbps }) => pace_kbps === 1000);
    expect(paced?.tcp?.max_pacing_rate).toBe(125_000);
    await vi.waitFor(() => expect(changes.size).toBe(0));
    expect(warnings).toEqual([]);
    for (const session of [viewer, hostile]) session.destroy();
  },
  120_000,
);

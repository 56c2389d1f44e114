import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent } from 'node:http';
import { connect, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { kbps } from '../../src/units.ts';
import { parseReceipt } from '../../src/wire/receipt.ts';
import { readTcpState } from '../../src/wire/tcp-state.ts';
import { createHandler, type Handler } from '../handler.ts';
import { paceLimits } from '../policy.ts';
import { directoryOrigin } from './directory-origin.ts';
import { takeVerdict, writeVerdict } from '../internal-headers.ts';
import { runQuietly } from '../../system/run-quietly.ts';
import { startEdge, type Edge, type EdgeOptions, type ResponseEvent } from './server.ts';
import { congestionControls, openSocketOptions } from './kernel/socket-options.ts';
import { paceAtMost, timedGet, type TimedResponse } from '../testing/timed-get.ts';

const unavailable = await openSocketOptions().then((opened) =>
  'unavailable' in opened ? opened.unavailable : null,
);
const { available } = await congestionControls();
const onPacingPlatform = it.skipIf(unavailable !== null);

const MEDIA_BYTES = 4_000_000;
let root: string;
let media: Handler;
beforeAll(async () => {
  root = mkdtempSync(join(tmpdir(), 'edge-'));
  writeFileSync(join(root, '1.m4s'), Buffer.alloc(MEDIA_BYTES, 'media'));
  media = createHandler({ origin: await directoryOrigin(root), limits: paceLimits() });
});
afterAll(() => rmSync(root, { recursive: true }));

let edge: Edge;
let agent: Agent;
const events: ResponseEvent[] = [];
async function start(options: Partial<EdgeOptions> = {}): Promise<Edge> {
  agent = new Agent({ keepAlive: true, maxSockets: 1 });
  edge = await startEdge({ handler: media, onResponse: (event) => events.push(event), ...options });
  return edge;
}
afterEach(async () => {
  agent.destroy();
  await edge.close();
  events.length = 0;
});

const ask = (path: string, headers: Record<string, string> = {}) =>
  timedGet(edge.url + path, { agent, headers });
const readReceipt = ({ headers }: TimedResponse) =>
  parseReceipt((name) => headers[name.toLowerCase()]?.toString());
const paced = (rate: number) => `/1.m4s?CMCD=rtp%3D${rate}`;
const eventually = (check: () => void) => vi.waitFor(check, { timeout: 15_000, interval: 5 });

/** A client that sends exactly the given bytes, and collects the response. */
function rawClient(text: string) {
  const socket = connect(edge.port, '127.0.0.1');
  let heard = '';
  socket.on('error', () => undefined);
  socket.on('data', (chunk) => (heard += chunk.toString('latin1')));
  socket.write(text, 'latin1');
  return { socket, heard: () => heard };
}

describe('pacing on the real socket', () => {
  onPacingPlatform(
    `paces a response and releases the next on the same connection (${unavailable ?? 'Linux'})`,
    async () => {
      await start();
      const rtp = kbps(10_000);
      const slow = await ask(paced(rtp));
      // Wait for the event, which follows the client's acknowledgment. On a busy machine, the next request could
      // otherwise come before the event.
      await eventually(() => expect(events).toHaveLength(1));
      const fast = await ask('/1.m4s');
      expect([slow.bytes, fast.bytes]).toEqual([MEDIA_BYTES, MEDIA_BYTES]);
      // The goodput excludes the first megabyte. The other 3 MB take 2.4 s, much longer than delays of a busy machine.
      expect((slow.goodput ?? 0) / rtp).toBeGreaterThan(0.7);
      expect(paceAtMost(slow) / rtp).toBeLessThan(1.05);
      expect((fast.goodput ?? 0) / (slow.goodput ?? 0)).toBeGreaterThan(4);

      expect(readReceipt(slow)).toMatchObject({ pace_kbps: rtp, reason: 'requested' });
      expect(readReceipt(fast)).toMatchObject({ pace_kbps: null, reason: 'no-rtp' });
      expect(readReceipt(fast).connection).toBe(readReceipt(slow).connection);
      expect(readReceipt(fast).sent_bytes).toBeGreaterThan(MEDIA_BYTES);
      const { state, refused } = readTcpState(readReceipt(fast));
      expect(refused).toEqual([]);
      // The previous response has been acknowledged.
      expect(state).toMatchObject({ in_flight_packets: 0 });
      expect(state.app_limited).toBeTypeOf('boolean');
      // A complete response on this connection was paced at 1.25 MB/s.
      expect(state.delivery_bytes_per_s).toBeGreaterThan(100_000);

      await eventually(() => expect(events).toHaveLength(2));
      expect(events[0]).toMatchObject({
        url: paced(rtp),
        status: 200,
        asked_kbps: rtp,
        pace_kbps: rtp,
        bytes: MEDIA_BYTES,
        complete: true,
      });
      expect(events[0]?.tcp?.bytes_acked).toBeGreaterThan(MEDIA_BYTES);
      expect(events[1]).toMatchObject({
        pace_kbps: null,
        reason: 'no-rtp',
        complete: true,
        tcp: { max_pacing_rate: null },
      });
      expect(edge.stats).toMatchObject({
        responses: 2,
        incomplete: 0,
        reasons: { requested: 1, 'no-rtp': 1 },
      });
    },
  );

  onPacingPlatform('gives pipelined requests each its own pace', async () => {
    await start();
    const get = (path: string) => `GET ${path} HTTP/1.1\r\nHost: edge\r\n\r\n`;
    rawClient(get(paced(20_000)) + get('/1.m4s') + get(paced(20_000)));
    await eventually(() => expect(events).toHaveLength(3));
    const [first, second, third] = events;
    // 4 MB at 20 Mbit/s take 1.6 s, less some time for the first window, which is unpaced. Delays of a busy machine are
    // much shorter. If one response's pace applied to another, the durations would be similar.
    expect(events.map(({ pace_kbps }) => pace_kbps)).toEqual([20_000, null, 20_000]);
    expect(first?.duration_ms).toBeGreaterThan(800);
    expect(third?.duration_ms).toBeGreaterThan((second?.duration_ms ?? Infinity) * 2);
  });

  onPacingPlatform('serves an invalid rtp unpaced, with the reason', async () => {
    await start();
    const absurd = [
      'rtp%3D0',
      'rtp%3D-1',
      'rtp%3D1e99',
      'rtp%3D500%2Crtp%3D600',
      `rtp%3D500%2Ccom.example-x%3D%22${'x'.repeat(65_536)}%22`,
    ];
    for (const cmcd of absurd) {
      const answer = await ask(`/1.m4s?CMCD=${cmcd}`, { Range: 'bytes=0-99' });
      expect(answer.status).toBe(206);
      expect(readReceipt(answer).pace_kbps).toBeNull();
    }
    await eventually(() => expect(edge.stats.responses).toBe(absurd.length));
    expect(edge.stats.reasons).toEqual({
      'refused:not-positive': 2,
      'refused:not-a-number': 1,
      'refused:disagreeing': 1,
      'refused:cmcd-too-long': 1,
    });
  });
});

describe('HTTP over the real socket', () => {
  it('serves ranges, HEAD, conditional requests and errors on one connection', async () => {
    await start();
    const part = await ask('/1.m4s', { Range: 'bytes=10-19' });
    expect([part.status, part.bytes, part.headers['content-range']]).toEqual([
      206,
      10,
      `bytes 10-19/${MEDIA_BYTES}`,
    ]);
    const again = await ask('/1.m4s', { 'If-None-Match': part.headers.etag ?? '' });
    expect([again.status, again.bytes]).toEqual([304, 0]);
    expect((await ask('/1.m4s', { Range: 'bytes=4000000-' })).status).toBe(416);
    expect((await ask('/2.m4s')).status).toBe(404);
    expect((await ask('/%2e%2e/%2e%2e/etc/passwd')).status).toBe(404);
    await eventually(() => expect(events).toHaveLength(5));
    expect(new Set(events.map(({ connection }) => connection)).size).toBe(1);

    const head = await fetch(`${edge.url}/1.m4s`, { method: 'HEAD' });
    expect([head.status, head.headers.get('Content-Length'), (await head.text()).length]).toEqual([
      200,
      String(MEDIA_BYTES),
      0,
    ]);
  });

  it.each([
    ['a path that climbs', 'GET /../../etc/passwd HTTP/1.1\r\nHost: edge\r\n\r\n', 'HTTP/1.1 404'],
    ['a host that is none', 'GET /2.m4s HTTP/1.1\r\nHost: a:b:c\r\n\r\n', 'HTTP/1.1 404'],
    ['an absolute target', 'HEAD http://elsewhere/1.m4s HTTP/1.1\r\nHost: edge\r\n\r\n', 'HTTP/1.1 200'],
    ['a target that is no path', 'OPTIONS * HTTP/1.1\r\nHost: edge\r\n\r\n', 'HTTP/1.1 400'],
    ['a method that no Request has', 'TRACE / HTTP/1.1\r\nHost: edge\r\n\r\n', 'HTTP/1.1 400'],
    ['another method', 'DELETE /1.m4s HTTP/1.1\r\nHost: edge\r\n\r\n', 'HTTP/1.1 405'],
    ['no HTTP', 'hello\r\n\r\n', 'HTTP/1.1 400'],
  ])('answers %s', async (_, text, expected) => {
    await start();
    const { heard, socket } = rawClient(text);
    await eventually(() => expect(heard()).toContain('\r\n\r\n'));
    expect(heard().split(' ', 2).join(' ')).toBe(expected);
    socket.destroy();
  });

  it('serves the response of a plain handler without pace, receipt or event', async () => {
    await start({ handler: (request) => Promise.resolve(new Response(new URL(request.url).pathname)) });
    const answer = await ask('/page');
    expect([answer.status, answer.bytes]).toEqual([200, 5]);
    expect(readReceipt(answer)).toEqual({});
    expect(events).toEqual([]);
  });

  it('survives a handler that fails immediately or within the body', async () => {
    const onWarning = vi.fn();
    const broken = () => new ReadableStream({ pull: () => Promise.reject(new Error('disk on fire')) });
    const handler: Handler = ({ url }) =>
      url.endsWith('/body')
        ? Promise.resolve(new Response(broken()))
        : Promise.reject(new Error('no such luck'));
    await start({ handler, onWarning });
    expect((await ask('/throw?token=secret')).status).toBe(500);
    // Without the query, which may contain a token.
    expect(onWarning).toHaveBeenCalledWith('GET /throw: the handler failed: no such luck');
    await expect(ask('/body')).rejects.toThrow();
    expect((await ask('/throw')).status).toBe(500);
  });
});

describe('clients that vanish', () => {
  it('release body, connection and the requests in flight', async () => {
    const cancelled = vi.fn();
    const signals: AbortSignal[] = [];
    const endless = () =>
      new ReadableStream({
        pull: (controller) => controller.enqueue(new Uint8Array(65_536)),
        cancel: cancelled,
      });
    const handler = createHandler({
      limits: paceLimits(),
      origin: ({ signal }) => {
        signals.push(signal);
        return Promise.resolve(new Response(endless()));
      },
    });
    await start({ handler });
    const { socket, heard } = rawClient('GET /1 HTTP/1.1\r\nHost: edge\r\n\r\n');
    await eventually(() => expect(heard().length).toBeGreaterThan(100_000));
    socket.destroy();
    await eventually(() => expect(events).toHaveLength(1));
    expect(events[0]?.complete).toBe(false);
    expect(cancelled).toHaveBeenCalledOnce();
    expect(signals[0]?.aborted).toBe(true);
    expect(edge.stats).toMatchObject({ connections: 0, incomplete: 1 });
  });

  it('do not delay close(), nor do connected clients', async () => {
    const never = () => new Promise<Response>(() => undefined);
    await start({ handler: (request) => (request.url.endsWith('/never') ? never() : media(request)) });
    await ask('/1.m4s', { Range: 'bytes=0-9' });
    const { socket, heard } = rawClient(`GET ${paced(1000)} HTTP/1.1\r\nHost: edge\r\n\r\n`);
    const waiting = rawClient('GET /never HTTP/1.1\r\nHost: edge\r\n\r\n');
    await eventually(() => expect(heard()).toContain('200 OK'));
    // The kernel has now buffered all 4 MB. They take 11 s at 3 Mbit/s, the lowest pace without the plug-in.
    const ended = vi.fn();
    for (const client of [socket, waiting.socket]) client.once('close', ended);
    await edge.close();
    await eventually(() => expect(ended).toHaveBeenCalledTimes(2));
    expect(heard().length).toBeLessThan(MEDIA_BYTES);
    expect(events.map(({ complete }) => complete)).toEqual([true, false]);
    edge = await startEdge({ handler: media, port: edge.port });
    expect((await ask('/1.m4s')).bytes).toBe(MEDIA_BYTES);
  });
});

describe('congestion control', () => {
  const withReno = it.skipIf(unavailable !== null || !available.includes('reno'));

  withReno('is chosen for all connections', async () => {
    await start({ congestionControl: 'reno' });
    expect(readReceipt(await ask('/1.m4s')).congestion_control).toBe('reno');
  });

  const twoOthers = it.skipIf(
    unavailable !== null || !['reno', 'bbr'].every((name) => available.includes(name)),
  );

  /** Returns the congestion control of the edge's side of the only connection, according to ss. */
  const inKernel = async (): Promise<string | undefined> => {
    const sockets = await runQuietly('ss', ['-tinHO', 'state', 'established', 'sport', '=', `:${edge.port}`]);
    return available.find((name) => sockets.includes(` ${name} `));
  };

  /** A handler whose verdicts name the congestion control in `?cc=`. */
  const naming: Handler = async (request) => {
    const answer = await media(request);
    const verdict = takeVerdict(answer.headers);
    const congestionControl = new URL(request.url).searchParams.get('cc');
    if (verdict) writeVerdict(answer.headers, { ...verdict, congestionControl });
    return answer;
  };

  twoOthers('is set for each response, and is in the receipt', async () => {
    const rule = { paced: 'reno', unpaced: 'bbr' };
    const handler = createHandler({
      origin: await directoryOrigin(root),
      limits: paceLimits(),
      congestionControl: rule,
    });
    await start({ handler, congestionControl: rule.unpaced, furtherCongestionControls: [rule.paced] });
    const connections = new Set<string | undefined>();
    for (const [query, expected] of [
      ['', 'bbr'],
      ['?CMCD=rtp%3D90000', 'reno'],
      ['?CMCD=rtp%3D80000', 'reno'],
      ['', 'bbr'],
    ]) {
      const receipt = readReceipt(await ask(`/1.m4s${query}`));
      connections.add(receipt.connection);
      expect(receipt.congestion_control).toBe(expected);
      expect(await inKernel()).toBe(expected);
    }
    // An error is unpaced, so it has the congestion control of unpaced responses.
    expect(readReceipt(await ask('/none.m4s?CMCD=rtp%3D90000')).congestion_control).toBe('bbr');
    expect(connections.size).toBe(1);
    expect(edge.stats.refusedCongestionControls).toBe(0);
  });

  twoOthers("is the server's own for a response whose verdict has none", async () => {
    await start({ handler: naming, congestionControl: 'bbr' });
    expect(readReceipt(await ask('/1.m4s?cc=reno')).congestion_control).toBe('reno');
    expect(readReceipt(await ask('/1.m4s')).congestion_control).toBe('bbr');
    expect(await inKernel()).toBe('bbr');
  });

  withReno(
    'is counted where a verdict names what this machine does not have, and nothing changes',
    async () => {
      await start({ handler: naming, congestionControl: 'reno' });
      for (const name of ['warp', '', 'RENO'])
        expect(readReceipt(await ask(`/1.m4s?cc=${name}`)).congestion_control).toBe('reno');
      expect(edge.stats.refusedCongestionControls).toBe(3);
    },
  );

  it('cannot be chosen by a client', async () => {
    const seen: string[] = [];
    await start({
      handler: (request) => {
        seen.push(new URL(request.url).search);
        return media(request);
      },
    });
    await ask('/1.m4s?cc=reno');
    expect(seen).toEqual(['?cc=reno']);
  });
});

describe('missing features', () => {
  it('include a port in use', async () => {
    await start();
    await expect(startEdge({ handler: media, port: edge.port })).rejects.toThrow(
      `port ${edge.port} on 127.0.0.1 is in use; choose another port`,
    );
  });

  it.skipIf(unavailable !== null)('include a congestion control that the kernel does not know', async () => {
    await start();
    const port = await freePort();
    await expect(startEdge({ handler: media, port, congestionControl: 'warp' })).rejects.toThrow(
      /^congestion control 'warp' is not in this kernel; choose .*reno/,
    );
    const further = { furtherCongestionControls: ['reno', 'warp'] };
    await expect(startEdge({ handler: media, port, ...further })).rejects.toThrow(
      /^congestion control 'warp' is not/,
    );
    // Nothing is left listening.
    await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow();
  });
});

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

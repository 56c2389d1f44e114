import { once } from 'node:events';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { Agent, createServer, type Server } from 'node:http';
import { connect, type ClientHttp2Session } from 'node:http2';
import { connect as connectSocket, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { parseReceipt, type Receipt } from '../../src/wire/receipt.ts';
import { CHANGE_KEY, CHANGE_OFFER, CHANGE_PATH, FLOOR_KEY, PLUGIN_KEY } from '../../src/wire/rtp.ts';
import { readTcpState } from '../../src/wire/tcp-state.ts';
import { selectRange } from '../byte-range.ts';
import { freePort } from '../../system/free-port.ts';
import { runQuietly } from '../../system/run-quietly.ts';
import { congestionControls } from '../local/kernel/socket-options.ts';
import { selfSigned } from '../local/self-signed.ts';
import { PACKET_BYTES, paceAtMost, timedGet, type TimedResponse } from '../testing/timed-get.ts';
import { proxyTo } from './location.ts';
import { asanLibrary, ensureModule, missingNginxReason } from './module.ts';
import { findNginx } from './program.ts';
import { startNginx, type Nginx, type NginxOptions } from './server.ts';

const lack = await missingNginxReason();
const { available } = await congestionControls();

const FILM_BYTES = 4_000_000;
const film = Buffer.from(Uint8Array.from({ length: FILM_BYTES }, (_, index) => (index * 31) >> 4));

let directory: string;
let module: string;
/** The same module, built with AddressSanitizer. */
let sanitized: string;
const started: Nginx[] = [];

/** Starts nginx with the given servers. The first listens on `port`. nginx is stopped after the test. */
async function nginxWith(http: (port: number) => string, options: Partial<NginxOptions> = {}) {
  const port = await freePort();
  const nginx = await startNginx({
    module,
    port,
    http: http(port),
    ...options,
  });
  started.push(nginx);
  return { nginx, port, url: `http://127.0.0.1:${port}` };
}

/** Starts nginx with AddressSanitizer, and collects the complaints of both. */
async function sanitizedNginx(http: (port: number) => string) {
  const lines: string[] = [];
  const onLine = (line: string) => void lines.push(line);
  const preload = await asanLibrary();
  return {
    ...(await nginxWith(http, { module: sanitized, preload, onLine })),
    complaints: () =>
      lines.filter((line) => /Sanitizer|runtime error|exited on signal|\[(alert|emerg)\]/.test(line)),
  };
}

const files = (port: number, directives = 'cmcd_pace on;') =>
  `server { listen 127.0.0.1:${port}; root ${directory}; ${directives} }`;

const readReceipt = ({ headers }: TimedResponse): Receipt =>
  parseReceipt((name) => {
    const value = headers[name.toLowerCase()];
    return value === undefined ? null : String(value);
  });

describe.skipIf(lack !== null)(`ngx_http_cmcd_pace_module${lack === null ? '' : `: ${lack}`}`, () => {
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'nginx-test-'));
    await writeFile(join(directory, '1.m4s'), film);
    const { cert, key } = await selfSigned();
    await writeFile(join(directory, 'cert.pem'), cert);
    await writeFile(join(directory, 'key.pem'), key);
    module = await ensureModule(() => undefined);
    sanitized = await ensureModule(() => undefined, { sanitize: true });
  }, 240_000);
  afterEach(async () => {
    await Promise.all(started.splice(0).map((nginx) => nginx.close()));
  });
  afterAll(() => rm(directory, { recursive: true, force: true }));

  it("keeps an origin's own CORS headers, and answers preflights for an origin without any", async () => {
    const page = 'https://site.example';
    const own = {
      'Access-Control-Allow-Origin': page,
      'Access-Control-Allow-Credentials': 'true',
      'Access-Control-Expose-Headers': 'X-Film',
      'Timing-Allow-Origin': page,
    };
    let credentials: (string | undefined)[] = [];
    const origin = createServer((message, response) => {
      credentials.push(message.headers.authorization);
      const isPreflight = message.method === 'OPTIONS';
      const cors = message.url?.startsWith('/none') ? {} : own;
      const answers = isPreflight && message.url === '/own';
      const allowed = {
        'Access-Control-Allow-Headers': 'authorization',
        'Access-Control-Max-Age': '5',
      };
      response.setHeader('Cache-Control', 'max-age=60');
      response
        .writeHead(isPreflight ? (answers ? 200 : 401) : 200, {
          ...cors,
          ...(answers ? allowed : { 'WWW-Authenticate': 'Bearer', Location: '/elsewhere' }),
        })
        .end('media');
    }).listen(0, '127.0.0.1');
    await once(origin, 'listening');
    const folder = await mkdtemp(join(tmpdir(), 'nginx-cors-'));
    const { url, complaints } = await sanitizedNginx(
      (port) => `proxy_cache_path ${folder} keys_zone=media:1m;
        server { listen 127.0.0.1:${port}; cmcd_pace on; proxy_cache media; proxy_cache_key $cmcd_pace_request_uri;
          ${proxyTo(`http://127.0.0.1:${(origin.address() as AddressInfo).port}`)} }`,
    );
    const preflight = {
      'Access-Control-Request-Headers': 'authorization',
      Origin: page,
    };
    const ask = (path: string, method: string, headers: Record<string, string> = {}) =>
      fetch(url + path, { method, headers, redirect: 'manual' });
    const cors = ({ status, headers }: Response) => [
      status,
      headers.get('Access-Control-Allow-Origin'),
      headers.get('Access-Control-Allow-Credentials'),
      headers.get('Access-Control-Allow-Headers'),
    ];
    const PLAYERS = 'CMCD-Request, CMCD-Object, CMCD-Status, CMCD-Session, Range, authorization';
    try {
      const media = await ask('/own', 'GET');
      expect(cors(media)).toEqual([200, page, 'true', null]);
      expect(media.headers.get('Timing-Allow-Origin')).toBe(page);
      expect(media.headers.get('Access-Control-Expose-Headers')).toMatch(
        /^X-Film, CMSD-Dynamic, Server-Timing,/,
      );
      expect(await media.text()).toBe('media');
      expect(cors(await ask('/own', 'OPTIONS', preflight))).toEqual([200, page, 'true', 'authorization']);
      // The origin has CORS headers for the page in each response, but does not support preflights.
      const named = await ask('/named', 'OPTIONS', preflight);
      expect(cors(named)).toEqual([204, page, 'true', PLAYERS]);
      expect([named.headers.get('WWW-Authenticate'), named.headers.get('Location')]).toEqual([null, null]);
      expect(cors(await ask('/none', 'OPTIONS', preflight))).toEqual([204, '*', null, PLAYERS]);
      expect(cors(await ask('/none', 'GET'))).toEqual([200, '*', null, null]);

      // A response to one viewer's token is not served from the cache to another viewer.
      credentials = [];
      for (const token of ['a', 'b']) await ask('/secret', 'GET', { Authorization: token });
      await ask('/secret', 'GET');
      await ask('/secret', 'GET');
      await ask('/secret', 'GET', { Authorization: 'c' });
      expect(credentials).toEqual(['a', 'b', undefined, 'c']);
      expect(complaints()).toEqual([]);
    } finally {
      origin.close();
      origin.closeAllConnections();
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('paces responses on request, and releases the connection with the next other request', async () => {
    const { url } = await nginxWith((port) => files(port));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const paced = await timedGet(`${url}/1.m4s?CMCD=rtp%3D6000`, { agent });
    const released = await timedGet(`${url}/1.m4s`, { agent });
    const again = await timedGet(`${url}/1.m4s`, {
      agent,
      headers: { 'CMCD-Status': 'rtp=20000' },
    });
    agent.destroy();

    expect(readReceipt(paced)).toMatchObject({
      pace_kbps: 6000,
      reason: 'requested',
    });
    expect(readReceipt(released)).toMatchObject({
      pace_kbps: null,
      reason: 'no-rtp',
    });
    expect(readReceipt(again)).toMatchObject({
      pace_kbps: 20_000,
      reason: 'requested',
    });
    for (const { bytes } of [paced, released, again]) expect(bytes).toBe(FILM_BYTES);
    // All three responses came over one connection.
    expect(readReceipt(again).connection).toBe(readReceipt(paced).connection);

    expect(paceAtMost(paced)).toBeLessThan(6000 * 1.05);
    expect(paced.goodput).toBeGreaterThan(6000 * 0.5);
    expect(paceAtMost(again, PACKET_BYTES)).toBeLessThan(20_000 * 1.05);
    // At least 30 Mbit/s, far below the throughput of loopback.
    expect(released.goodput).toBeGreaterThan(5 * 6000);
  }, 30_000);

  it("reports the kernel's statistics of the connection, and lets any page read them", async () => {
    const { url } = await nginxWith((port) => files(port));
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const first = await timedGet(`${url}/1.m4s?CMCD=rtp%3D900000`, { agent });
    const second = await timedGet(`${url}/1.m4s?CMCD=rtp%3D900000`, {
      agent,
    });
    agent.destroy();
    const receipt = readReceipt(second);
    expect(receipt.sent_bytes).toBeGreaterThanOrEqual(FILM_BYTES + (readReceipt(first).sent_bytes ?? 0));
    expect(receipt.rtt_ms).toBeGreaterThan(0);
    expect(receipt.min_rtt_ms).toBeLessThanOrEqual(receipt.rtt_ms ?? 0);
    expect(receipt.cwnd_packets).toBeGreaterThan(0);
    expect(receipt.etp_kbps).toBeGreaterThan(0);
    const { state, refused } = readTcpState(receipt);
    expect(refused).toEqual([]);
    expect(state.in_flight_packets).toBeGreaterThanOrEqual(0);
    expect(state.delivery_bytes_per_s).toBeGreaterThan(0);
    expect(state.app_limited).toBeTypeOf('boolean');
    expect(receipt.retransmitted_bytes).toBeGreaterThanOrEqual(0);
    const available = await readFile('/proc/sys/net/ipv4/tcp_available_congestion_control', 'utf8');
    expect(available.trim().split(' ')).toContain(receipt.congestion_control);
    expect(second.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-expose-headers': 'CMSD-Dynamic, Server-Timing, Content-Length, Content-Range, Date',
      'timing-allow-origin': '*',
    });
  });

  it('paces a response with a floor as any other, and accepts no change of its pace', async () => {
    const { url } = await nginxWith((port) => files(port));
    const cmcd = (rtp: number) => {
      const keys = [PLUGIN_KEY, `rtp=${rtp}`, `${FLOOR_KEY}=1000`, `${CHANGE_KEY}="${'a'.repeat(32)}"`];
      return `?CMCD=${encodeURIComponent(keys.join(','))}`;
    };
    const headers = { Range: 'bytes=0-999999' };
    // The response takes 1.3 s at this pace, and would take a tenth of it after a change.
    const [paced, refused] = await Promise.all([
      timedGet(`${url}/1.m4s${cmcd(6000)}`, { headers }),
      fetch(url + CHANGE_PATH + cmcd(60_000), { method: 'POST' }),
    ]);
    expect(readReceipt(paced)).toMatchObject({ pace_kbps: 6000, reason: 'requested' });
    expect(paced.headers['server-timing']).not.toContain(CHANGE_OFFER);
    expect(paceAtMost(paced)).toBeLessThan(6000 * 1.05);
    expect(refused.status).toBe(404);
  });

  it('does nothing where it is not enabled, except to release a paced connection', async () => {
    const { url } = await nginxWith((port) =>
      files(port, 'location /1.m4s { if ($arg_a) { cmcd_pace on; } }'),
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const headers = { Range: 'bytes=0-999999' };
    const paced = await timedGet(`${url}/1.m4s?a=1&CMCD=rtp%3D4000`, {
      agent,
      headers,
    });
    const foreign = await timedGet(`${url}/1.m4s?CMCD=rtp%3D4000`, { agent });
    agent.destroy();
    expect(readReceipt(paced).pace_kbps).toBe(4000);
    expect(readReceipt(foreign)).toEqual({});
    expect(foreign.headers['access-control-allow-origin']).toBeUndefined();
    expect(foreign.goodput).toBeGreaterThan(5 * 4000);
  }, 30_000);

  it("uses nginx's own limit as a ceiling, and reports it", async () => {
    const { url } = await nginxWith(
      (port) => `server {
        listen 127.0.0.1:${port}; root ${directory}; cmcd_pace on;
        location /limited/ { alias ${directory}/; limit_rate 250k; }
        location /later/ { alias ${directory}/; limit_rate 250k; limit_rate_after 1m; }
      }`,
    );
    const told = async (path: string, rtp: number) => {
      const headers = { Range: 'bytes=0-9' };
      const { pace_kbps, reason } = readReceipt(
        await timedGet(`${url}${path}/1.m4s?CMCD=io.github.dashjs-sammy%2Crtp%3D${rtp}`, { headers }),
      );
      return [pace_kbps, reason];
    };
    // 250 times 1,024 bytes/s.
    expect(await told('/limited', 20_000)).toEqual([2048, 'ceiling']);
    expect(await told('/limited', 1500)).toEqual([1500, 'requested']);
    expect(await told('/limited', 0)).toEqual([null, 'refused:not-positive']);
    expect(await told('/later', 20_000)).toEqual([20_000, 'requested']);
  });

  it('answers 304 and ranges with a verdict, errors without a pace', async () => {
    const { url } = await nginxWith((port) => files(port));
    const ask = (headers: Record<string, string>, path = '/1.m4s') =>
      timedGet(`${url}${path}?CMCD=rtp%3D50000`, { headers });
    const whole = await ask({});
    const unchanged = await ask({
      'If-None-Match': String(whole.headers.etag),
    });
    expect(unchanged.status).toBe(304);
    expect(readReceipt(unchanged)).toMatchObject({
      pace_kbps: 50_000,
      reason: 'requested',
    });
    const part = await ask({ Range: 'bytes=10-19' });
    expect(part).toMatchObject({ status: 206, bytes: 10 });
    expect(part.headers['content-range']).toBe(`bytes 10-19/${FILM_BYTES}`);
    expect(readReceipt(part)).toMatchObject({
      pace_kbps: 50_000,
      reason: 'requested',
    });
    for (const failed of [await ask({ Range: `bytes=${FILM_BYTES}-` }), await ask({}, '/2.m4s')]) {
      expect(readReceipt(failed)).toMatchObject({
        pace_kbps: null,
        reason: 'error-response',
      });
    }
  });

  it("sets an HTTP/2 connection over TLS to the sum of its streams' paces, and subtracts ended ones", async () => {
    const { port } = await nginxWith(
      (port) => `server { listen 127.0.0.1:${port} ssl http2; root ${directory}; cmcd_pace on;
        ssl_certificate ${directory}/cert.pem; ssl_certificate_key ${directory}/key.pem; }`,
    );
    const session = connect(`https://127.0.0.1:${port}`, {
      rejectUnauthorized: false,
      settings: { initialWindowSize: 1_000_000 },
    });
    try {
      const slow = streamGet(session, '/1.m4s?CMCD=rtp%3D4000', {
        Range: 'bytes=0-999999',
      });
      expect(await slow.receipt).toMatchObject({ pace_kbps: 4000 });
      const fast = streamGet(session, '/1.m4s?CMCD=rtp%3D16000');
      expect(await fast.receipt).toMatchObject({
        pace_kbps: 16_000,
        socket_pace_kbps: 20_000,
      });
      const [slowly, fastly] = await Promise.all([slow.whole, fast.whole]);
      // At 4 and 16 Mbit/s both take 2 s; shared in equal parts, the socket would give the slow one 10 Mbit/s.
      expect(slowly.time_ms).toBeGreaterThan(1400);
      expect(fastly.time_ms).toBeGreaterThan(1400);
      expect(fastly.bytes).toBe(FILM_BYTES);
      // Once the client has received them, their paces no longer count.
      await expect
        .poll(
          async () =>
            (
              await streamGet(session, '/1.m4s?CMCD=rtp%3D5000', {
                Range: 'bytes=0-9',
              }).receipt
            ).socket_pace_kbps ?? 5000,
          { timeout: 10_000 },
        )
        .toBe(5000);
      // A response without a pace is not slowed down.
      const free = await streamGet(session, '/1.m4s').whole;
      expect(free.time_ms).toBeLessThan(fastly.time_ms / 3);
    } finally {
      session.destroy();
    }
  }, 30_000);

  it('delivers streams that share a connection if nginx forwards an origin’s bytes unbuffered', async () => {
    const origin = await nginxWith((port) => files(port, 'cmcd_pace off;'));
    const { port } = await nginxWith(
      (port) => `server { listen 127.0.0.1:${port} http2; cmcd_pace on;
        location / { proxy_pass ${origin.url}; proxy_buffering off; } }`,
    );
    const session = connect(`http://127.0.0.1:${port}`);
    try {
      const range = { Range: 'bytes=0-499999' };
      const streams = [2000, 6000].map((rtp) => streamGet(session, `/1.m4s?CMCD=rtp%3D${rtp}`, range));
      const [slowly, fastly] = await Promise.all(streams.map(({ whole }) => whole));
      expect([slowly?.bytes, fastly?.bytes]).toEqual([500_000, 500_000]);
      // A megabyte at the 8 Mbit/s of both takes a second.
      expect(Math.max(slowly?.time_ms ?? 0, fastly?.time_ms ?? 0)).toBeGreaterThan(500);
    } finally {
      session.destroy();
    }
  }, 30_000);

  it.each([
    ['from disk', '/1.m4s'],
    ['that an unbuffered origin has redirected to disk', '/accel/1.m4s'],
  ])(
    'lets no stream %s wait behind another of its connection, with any paces',
    async (_, path) => {
      const origin = await nginxWith(
        (port) => `server { listen 127.0.0.1:${port};
        location / { add_header X-Accel-Redirect /inside/1.m4s; return 200; } }`,
      );
      const { port } = await nginxWith(
        (port) => `server { listen 127.0.0.1:${port} http2; root ${directory}; cmcd_pace on;
        location /accel/ { proxy_pass ${origin.url}; proxy_buffering off; }
        location /inside/ { internal; alias ${directory}/; } }`,
      );
      const window = 2 ** 24;
      const session = connect(`http://127.0.0.1:${port}`, {
        settings: { initialWindowSize: window },
      });
      session.once('connect', () => session.setLocalWindowSize(window));
      try {
        // Each body takes two seconds at its pace; the client reads as fast as it can.
        const slow = streamGet(session, `${path}?CMCD=rtp%3D1600`, {
          Range: 'bytes=0-399999',
        });
        const fast = streamGet(session, `${path}?CMCD=rtp%3D14400`, {
          Range: 'bytes=0-3599999',
        });
        const [slowly, fastly] = await Promise.all([slow.whole, fast.whole]);
        expect([slowly.bytes, fastly.bytes]).toEqual([400_000, 3_600_000]);
        // One second's worth may arrive early. On a busy machine, pieces arrive late, and the slow stream has more
        // pieces.
        expect(slowly.time_ms / fastly.time_ms).toBeGreaterThan(0.3);
        expect(slowly.time_ms / fastly.time_ms).toBeLessThan(2.5);
      } finally {
        session.destroy();
      }
    },
    30_000,
  );

  it('survives canceled HTTP/2 streams and connections, with AddressSanitizer', async () => {
    const { url, complaints } = await sanitizedNginx(
      (port) => `server { listen 127.0.0.1:${port} http2; root ${directory}; cmcd_pace on; }`,
    );
    for (let round = 0; round < 4; round++) {
      const session = connect(url);
      session.on('error', () => undefined);
      const streams = Array.from({ length: 60 }, (_, index) => {
        const query = index % 7 === 0 ? '' : `?CMCD=rtp%3D${1000 * (index + 1)}`;
        const stream = session.request({
          ':path': `/${index % 5 === 0 ? 2 : 1}.m4s${query}`,
          Range: `bytes=0-${index * 999}`,
        });
        stream.on('error', () => undefined).resume();
        // Some streams are aborted before the response, some during it, and some not at all.
        if (index % 4 === 1) setTimeout(() => stream.close(8), index * 2);
        return new Promise((resolve) => stream.once('close', resolve));
      });
      if (round % 2 === 0) await Promise.all(streams);
      else await Promise.race(streams);
      session.destroy();
    }
    const after = connect(url);
    const whole = await streamGet(after, '/1.m4s?CMCD=rtp%3D90000').whole;
    after.destroy();
    expect(whole.bytes).toBe(FILM_BYTES);
    expect(complaints()).toEqual([]);
  }, 60_000);

  it('reloads under load: open responses keep their pace, later ones have the new settings', async () => {
    const { url, nginx, port } = await nginxWith((port) => files(port), {
      workers: 2,
    });
    const downloads = Array.from({ length: 12 }, () => timedGet(`${url}/1.m4s?CMCD=rtp%3D16000`));
    await new Promise((resolve) => setTimeout(resolve, 300));
    await nginx.reload(files(port, 'cmcd_pace on; cmcd_pace_ceiling 8000;'));
    await expect
      .poll(
        async () =>
          readReceipt(
            await timedGet(`${url}/1.m4s?CMCD=rtp%3D16000`, {
              headers: { Range: 'bytes=0-1' },
            }),
          ).reason,
        { timeout: 10_000 },
      )
      .toBe('ceiling');
    for (const download of await Promise.all(downloads)) {
      expect(download.bytes).toBe(FILM_BYTES);
      expect(readReceipt(download).pace_kbps).toBe(16_000);
      expect(paceAtMost(download)).toBeLessThan(16_000 * 1.05);
    }
    expect(processRuns(nginx.pid)).toBe(true);
  }, 30_000);

  describe('before an origin', () => {
    let origin: Server;
    let seen: string[];
    beforeAll(async () => {
      origin = createServer((message, response) => {
        seen.push(`${message.url ?? ''} ${String(message.headers['cmcd-status'] ?? '')}`);
        const range = selectRange(message.headers.range ?? null, FILM_BYTES);
        const whole = range === 'whole' || range === 'unsatisfiable';
        const { first, last } = whole ? { first: 0, last: FILM_BYTES - 1 } : range;
        response.writeHead(whole ? 200 : 206, {
          'Content-Length': last - first + 1,
          'Cache-Control': 'max-age=60',
          ETag: '"film"',
          ...(!whole && {
            'Content-Range': `bytes ${first}-${last}/${FILM_BYTES}`,
          }),
        });
        response.end(film.subarray(first, last + 1));
      }).listen(0, '127.0.0.1');
      await once(origin, 'listening');
    });
    afterAll(() => {
      origin.closeAllConnections();
      origin.close();
    });

    it('keeps one object in the cache for any CMCD, even in slices', async () => {
      seen = [];
      await mkdir(join(directory, 'cache'), { recursive: true });
      const { url } = await nginxWith(
        (port) => `
          proxy_cache_path ${directory}/cache keys_zone=media:1m;
          server {
            listen 127.0.0.1:${port};
            cmcd_pace on;
            slice 1m;
            proxy_cache media;
            proxy_cache_key $host$cmcd_pace_request_uri$slice_range;
            proxy_cache_valid 200 206 1m;
            proxy_set_header Range $slice_range;
            add_header X-Cache $upstream_cache_status;
            ${proxyTo(`http://127.0.0.1:${(origin.address() as AddressInfo).port}`).replace('include', 'proxy_set_header Range $slice_range; include')}
          }`,
      );
      const first = await timedGet(`${url}/1.m4s?a=1&CMCD=rtp%3D40000&b=2`, {
        headers: { 'CMCD-Status': 'bs' },
      });
      const second = await timedGet(`${url}/1.m4s?a=1&b=2&CMCD=rtp%3D80000%2Csid%3D%22x%22`);
      expect([first.headers['x-cache'], second.headers['x-cache']]).toEqual(['MISS', 'HIT']);
      expect([first.bytes, second.bytes]).toEqual([FILM_BYTES, FILM_BYTES]);
      // 4 MB have four slices of 1 MiB.
      expect(seen).toEqual(Array<string>(4).fill('/1.m4s?a=1&b=2 '));
      expect(readReceipt(first).pace_kbps).toBe(40_000);
      expect(readReceipt(second).pace_kbps).toBe(80_000);
      expect(paceAtMost(second)).toBeLessThan(80_000 * 1.1);
    }, 30_000);

    it('keeps one object for any rtp and sum, in the query and in headers', async () => {
      seen = [];
      await mkdir(join(directory, 'cache-2'), { recursive: true });
      const { url } = await nginxWith(
        (port) => `
        proxy_cache_path ${directory}/cache-2 keys_zone=media:1m;
        server {
          listen 127.0.0.1:${port};
          cmcd_pace on;
          proxy_cache media;
          proxy_cache_key $host$cmcd_pace_request_uri;
          add_header X-Cache $upstream_cache_status;
          ${proxyTo(`http://127.0.0.1:${(origin.address() as AddressInfo).port}`)}
        }`,
      );
      const cached: string[] = [];
      const ask = async (path: string, headers: Record<string, string> = {}) => {
        const answer = await timedGet(`${url}${path}`, { headers });
        expect(answer.bytes).toBe(FILM_BYTES);
        cached.push(String(answer.headers['x-cache']));
      };
      for (const rtp of [200_000, 400_000, 900_000])
        for (const sum of [200_000, 600_000, 1_800_000]) {
          const cmcd = `io.github.dashjs-sammy,io.github.dashjs-sammy-sum=${sum},rtp=${rtp}`;
          await ask(`/1.m4s?CMCD=${encodeURIComponent(cmcd)}`);
          await ask('/1.m4s', { 'CMCD-Status': cmcd });
        }
      await ask('/1.m4s');
      expect(cached).toEqual(['MISS', ...Array<string>(18).fill('HIT')]);
      expect(seen).toEqual(['/1.m4s ']);
    }, 30_000);
  });

  it('answers thousands of ranges with the whole file or parts, with AddressSanitizer', async () => {
    const { url, complaints } = await sanitizedNginx(
      (port) =>
        `large_client_header_buffers 4 64k; server { listen 127.0.0.1:${port}; root ${directory}; cmcd_pace on; }`,
    );
    const ask = (range: string) =>
      timedGet(`${url}/1.m4s?CMCD=rtp%3D90000`, {
        headers: { Range: range },
      });
    const of = (count: number, range: (index: number) => string) =>
      `bytes=${Array.from({ length: count }, (_, index) => range(index)).join()}`;
    const single = await ask(of(4000, (index) => `${index * 2}-${index * 2}`));
    expect([single.status, readReceipt(single).pace_kbps]).toEqual([206, 90_000]);
    expect(single.headers['content-type']).toContain('multipart/byteranges');
    // nginx responds with the complete file to ranges that are longer in total than the file.
    const overlapping = await ask(of(4000, (index) => `${index}-`));
    expect([overlapping.status, overlapping.bytes]).toEqual([200, FILM_BYTES]);
    expect(readReceipt(overlapping).pace_kbps).toBe(90_000);
    expect((await ask(of(4000, () => `${FILM_BYTES}-`))).status).toBe(416);
    expect((await ask('bytes=0-9')).bytes).toBe(10);
    expect(complaints()).toEqual([]);
  }, 60_000);

  it('writes variables for the log', async () => {
    const { url, nginx } = await nginxWith(
      (port) => `
        log_format pace '$cmcd_pace_asked_kbps $cmcd_pace_kbps $cmcd_pace_socket_kbps $cmcd_pace_reason '
                        '$cmcd_pace_args $cmcd_pace_request_uri $cmcd_pace_retransmitted_bytes $cmcd_pace_sent_bytes';
        server { listen 127.0.0.1:${port}; root ${directory}; cmcd_pace on; cmcd_pace_ceiling 700000; access_log {folder}/access.log pace; }`,
    );
    const headers = { Range: 'bytes=0-1' };
    await timedGet(`${url}/1.m4s?x=1&CMCD=rtp%3D900000`, { headers });
    await timedGet(`${url}/%31.m4s?CMCD=rtp%3D1&CMCDx&%43MCD=rtp%3D2`, { headers });
    const lines = async () => (await readFile(join(nginx.folder, 'access.log'), 'utf8')).trim().split('\n');
    await expect.poll(async () => (await lines()).length, { timeout: 10_000 }).toBe(2);
    expect(await lines()).toEqual([
      expect.stringMatching(/^900000 700000 700000 ceiling x=1 \/1\.m4s\?x=1 0 [1-9]\d*$/),
      expect.stringMatching(/^- - - refused:disagreeing CMCDx \/%31\.m4s\?CMCDx 0 [1-9]\d*$/),
    ]);
  });

  const twoControls = it.skipIf(
    process.getuid?.() !== 0 || !['reno', 'bbr'].every((name) => available.includes(name)),
  );

  twoControls('gives each response its congestion control, and takes it back', async () => {
    const { url, port } = await nginxWith(
      (port) => `
        server {
          listen 127.0.0.1:${port}; root ${directory}; cmcd_pace on;
          cmcd_pace_congestion_control paced=reno,unpaced=bbr;
          location /other/ { alias ${directory}/; cmcd_pace_congestion_control reno; }
          location /none/ { alias ${directory}/; cmcd_pace_congestion_control bbr; cmcd_pace off; }
        }`,
    );
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const inKernel = async (): Promise<string | undefined> => {
      const sockets = await runQuietly('ss', ['-tinHO', 'state', 'established', 'sport', '=', `:${port}`]);
      return available.find((name) => sockets.includes(` ${name} `));
    };
    const connections = new Set<string | undefined>();
    for (const [path, expected] of [
      ['/1.m4s', 'bbr'],
      ['/1.m4s?CMCD=rtp%3D90000', 'reno'],
      ['/1.m4s?CMCD=rtp%3D80000', 'reno'],
      ['/1.m4s', 'bbr'],
      ['/other/1.m4s', 'reno'],
      ['/none/1.m4s?CMCD=rtp%3D90000', 'bbr'],
      ['/other/1.m4s?CMCD=rtp%3D90000', 'reno'],
      // An error is unpaced, so it has the congestion control of unpaced responses.
      ['/2.m4s?CMCD=rtp%3D90000', 'bbr'],
    ] as const) {
      const receipt = readReceipt(await timedGet(`${url}${path}`, { agent }));
      connections.add(receipt.connection);
      expect(receipt.congestion_control).toBe(expected);
      expect(await inKernel()).toBe(expected);
    }
    agent.destroy();
    expect(connections.size).toBe(1);
  });

  twoControls(
    'begins a connection with the congestion control of unpaced responses, also after a reload',
    async () => {
      const named = (control: string) => (port: number) =>
        `server { listen 127.0.0.1:${port}; root ${directory}; ${control} }`;
      const own = (await readFile('/proc/sys/net/ipv4/tcp_congestion_control', 'utf8')).trim();
      const another = own === 'reno' ? 'bbr' : 'reno';
      const { nginx, port } = await nginxWith(named(`cmcd_pace_congestion_control ${another};`));
      // Before any request, a connection has the listening socket's congestion control.
      const begun = async (): Promise<string | undefined> => {
        const socket = connectSocket(port, '127.0.0.1');
        await once(socket, 'connect');
        const found = await runQuietly('ss', ['-tinHO', 'state', 'established', 'sport', '=', `:${port}`]);
        socket.destroy();
        return available.find((name) => found.includes(` ${name} `));
      };
      expect(await begun()).toBe(another);
      await nginx.reload(named('')(port));
      await expect.poll(begun, { timeout: 10_000 }).toBe(own);
    },
  );

  it('refuses a wrong configuration with one line', async () => {
    const refused = (directives: string) =>
      freePort().then((port) => startNginx({ module, port, http: files(port, directives) }));
    for (const value of ['0', '-1', '5x', '100000001', '99999999999999999999', '""']) {
      await expect(refused(`cmcd_pace on; cmcd_pace_floor ${value};`)).rejects.toThrow(
        /^nginx: cmcd_pace_floor is "[^"]*"; expected kbit\/s, a whole number from 1 to 100000000 in \S+:\d+$/,
      );
    }
    await expect(refused('cmcd_pace_floor 3000; cmcd_pace_ceiling 2000;')).rejects.toThrow(
      /^nginx: cmcd_pace_floor is 3000; expected at most cmcd_pace_ceiling, which is 2000 in \S+:\d+$/,
    );
    for (const value of [
      '',
      'nothing',
      'reno,reno',
      'paced=reno',
      'paced=reno,unpaced=',
      '"reno bbr"',
      're',
    ]) {
      await expect(refused(`cmcd_pace_congestion_control ${value || '""'};`)).rejects.toThrow(
        /^nginx: cmcd_pace_congestion_control is "[^"]*"; expected NAME or paced=NAME,unpaced=NAME, each NAME one of [a-z0-9_ -]+ \(net\.ipv4\.tcp_(available|allowed)_congestion_control\) in \S+:\d+$/,
      );
    }
    await expect(
      refused('cmcd_pace_congestion_control reno; cmcd_pace_congestion_control reno;'),
    ).rejects.toThrow(/^nginx: "cmcd_pace_congestion_control" directive is duplicate in \S+:\d+$/);
    await expect(refused('cmcd_pace maybe;')).rejects.toThrow(
      /^nginx: invalid value "maybe" in "cmcd_pace" directive, it must be "on" or "off" in \S+:\d+$/,
    );
    await expect(refused('cmcd_pace_ceiling 1; cmcd_pace_ceiling 2;')).rejects.toThrow(
      /^nginx: "cmcd_pace_ceiling" directive is duplicate in \S+:\d+$/,
    );
  });

  it('reports a module of another nginx version, a port in use, and missing headers', async () => {
    const foreign = join(directory, 'foreign.so');
    const bytes = await readFile(module);
    // ngx_module_t has nginx's version as a number: 1.22.1 is 1022001.
    const header = await readFile('/usr/share/nginx/src/src/core/nginx.h', 'utf8');
    const version = Number(/define nginx_version\s+(\d+)/.exec(header)?.[1]);
    const written = Buffer.alloc(8);
    written.writeBigUInt64LE(BigInt(version));
    const at = bytes.indexOf(written);
    expect(at).toBeGreaterThan(0);
    bytes.writeUInt32LE(1_018_000, at);
    await writeFile(foreign, bytes);
    const port = await freePort();
    await expect(startNginx({ module: foreign, port, http: files(port) })).rejects.toThrow(
      new RegExp(`^nginx: module "${foreign}" version 1018000 instead of ${version} in `),
    );

    const taken = createServer().listen(port, '127.0.0.1');
    await once(taken, 'listening');
    await expect(startNginx({ module, port, http: files(port) })).rejects.toThrow(
      `port ${port} is in use; choose another port`,
    );
    taken.close();

    expect(await missingNginxReason(findNginx(join(directory, 'nothing')))).toMatch(
      /^nginx's headers are not in \S+: sudo apt-get install nginx-dev/,
    );
  });
});

const processRuns = (pid: number): boolean => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

/** Sends a request on a new stream, and measures the time to the last byte. */
function streamGet(session: ClientHttp2Session, path: string, headers: Record<string, string> = {}) {
  const began = performance.now();
  const stream = session.request({ ':path': path, ...headers });
  const receipt = once(stream, 'response').then(([fields]) =>
    parseReceipt((name) => {
      const value = (fields as Record<string, string | string[] | undefined>)[name.toLowerCase()];
      return value === undefined ? null : String(value);
    }),
  );
  const whole = (async () => {
    let bytes = 0;
    await receipt;
    for await (const chunk of stream as AsyncIterable<Buffer>) bytes += chunk.length;
    return { bytes, time_ms: performance.now() - began };
  })();
  return { receipt, whole };
}

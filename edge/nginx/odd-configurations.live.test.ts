import { once } from 'node:events';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { Agent } from 'node:http';
import { connect as connectSocket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseReceipt, type Receipt } from '../../src/wire/receipt.ts';
import { freePort } from '../../system/free-port.ts';
import { paceAtMost, timedGet, type TimedResponse } from '../testing/timed-get.ts';
import { asanLibrary, ensureModule, missingNginxReason } from './module.ts';
import { startNginx, PROXY_CONF, type Nginx } from './server.ts';

/**
 * Configurations that operators combine with the module: phases, internal redirects, subrequests, other filters. The
 * module is built with AddressSanitizer and UndefinedBehaviorSanitizer.
 */
const missing = await missingNginxReason();
const FILM_BYTES = 1_500_000;
/** Matches log lines that indicate a memory error, undefined behavior or a crash. */
const HURT = /Sanitizer|runtime error|exited on signal|\[(alert|emerg|crit)\]/;

let folder: string;
let nginx: Nginx | undefined;
let [plain, proxied, origin] = [0, 0, 0];
const said: string[] = [];

const readReceipt = (headers: TimedResponse['headers']): Receipt =>
  parseReceipt((name) => headers[name.toLowerCase()]?.toString());
const url = (path: string): string => `http://127.0.0.1:${plain}${path}`;

/**
 * Sends a request line and headers unchanged. Resolves to everything that the server sends until it closes the
 * connection.
 */
async function raw(to: number | string, text: string): Promise<string> {
  const socket = typeof to === 'number' ? connectSocket(to, '127.0.0.1') : connectSocket(to);
  socket.on('error', () => undefined);
  let heard = '';
  socket.on('data', (chunk) => (heard += chunk.toString('latin1')));
  socket.write(text, 'latin1');
  await once(socket, 'close');
  return heard;
}

const CONFIGURATION = () => `
  proxy_cache_path ${folder}/cache keys_zone=media:1m;
  map $cmcd_pace_asked_kbps $too_slow { default 0; ~^[1-9]\\d?\\d?$ 1; }
  limit_conn_zone $binary_remote_addr zone=each:1m;
  limit_req_zone $binary_remote_addr zone=fast:1m rate=1000r/s;
  log_format all '$cmcd_pace_kbps $cmcd_pace_socket_kbps $cmcd_pace_asked_kbps $cmcd_pace_reason $cmcd_pace_args '
                 '$cmcd_pace_request_uri $cmcd_pace_sent_bytes $cmcd_pace_retransmitted_bytes';
  access_log {folder}/all.log all;
  upstream origin { server 127.0.0.1:${origin}; keepalive 4; }
  server {
    listen 127.0.0.1:${origin};
    root ${folder};
    location /missing { return 404; }
    location /auth/no { return 401; }
    location /auth/yes { return 204; }
    location /accel { add_header X-Accel-Redirect /inside/1.m4s; return 200; }
  }
  server {
    listen 127.0.0.1:${plain} reuseport;
    root ${folder};
    cmcd_pace on;
    ssi_types *;
    large_client_header_buffers 4 32k;

    location /rewrite/ { rewrite ^/rewrite/(.*)$ /$1?x=1 last; }
    location /break/ { rewrite ^/break/(.*)$ /$1 break; }
    location /dropped/ { rewrite ^/dropped/(.*)$ /$1? last; }
    location /if/ { if ($too_slow) { return 429; } alias ${folder}/; }
    location /try/ { try_files /nothing @fallback; }
    location @fallback { cmcd_pace_ceiling 30000; rewrite ^/(?:try|named)/(.*)$ /$1 break; }
    location /page/ { error_page 404 =200 /1.m4s; return 404; }
    location /named/ { error_page 404 = @fallback; return 404; }
    location /error/ { error_page 404 /1.m4s; return 404; }
    location /allowed/ { auth_request /auth/yes; alias ${folder}/; }
    location /denied/ { auth_request /auth/no; alias ${folder}/; }
    location /auth/ { internal; proxy_pass http://origin; }
    location /mirrored/ { mirror /mirror; alias ${folder}/; }
    location = /mirror { internal; proxy_pass http://origin/1.m4s$is_args$cmcd_pace_args; }
    location /slow/ { limit_rate 1m; alias ${folder}/; }
    location /gzip/ { gzip on; gzip_types *; gzip_min_length 1; alias ${folder}/; }
    location /sub/ { sub_filter_types *; sub_filter aaaa bbbb; alias ${folder}/; }
    location /added/ { add_after_body /small.txt; add_before_body /small.txt; addition_types *; alias ${folder}/; }
    location /ssi/ { ssi on; alias ${folder}/; }
    location /buffers/ { sendfile off; output_buffers 1 4k; aio threads; alias ${folder}/; }
    location /direct/ { directio 512; alias ${folder}/; }
    location /accel { proxy_pass http://origin; include ${PROXY_CONF}; }
    location /inside/ { internal; alias ${folder}/; }
    location /off/ { cmcd_pace off; alias ${folder}/; }
    location /closed { return 444; }
    location /text { return 200 "$cmcd_pace_args,$cmcd_pace_request_uri,$cmcd_pace_asked_kbps,$cmcd_pace_reason"; }
    location /put/ { dav_methods PUT DELETE; alias ${folder}/put/; }
    location /mp4/ { mp4; alias ${folder}/; }
    location /limited/ { limit_conn each 100; limit_req zone=fast burst=100; alias ${folder}/; }
    location /once/ { keepalive_timeout 0; alias ${folder}/; }
    location /after/ { post_action /small.txt; alias ${folder}/; }
    location /cached/ {
      slice 256k; proxy_cache media; proxy_cache_key $uri$slice_range; proxy_set_header Range $slice_range;
      proxy_cache_valid 200 206 1m; proxy_http_version 1.1; proxy_set_header Connection "";
      proxy_set_header CMCD-Status ""; proxy_pass http://origin/; add_header X-Cache $upstream_cache_status;
      proxy_cache_background_update on; proxy_cache_use_stale updating;
    }
    location /real/ { set_real_ip_from 127.0.0.1; real_ip_header X-Real-IP; alias ${folder}/; }
  }
  server {
    listen 127.0.0.1:${proxied} proxy_protocol; listen unix:${folder}/socket;
    root ${folder}; cmcd_pace on;
    set_real_ip_from unix:; real_ip_header X-Real-IP;
  }`;

describe.skipIf(missing !== null)(`odd configurations${missing === null ? '' : `: ${missing}`}`, () => {
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'nginx-odd-'));
    await mkdir(join(folder, 'put'));
    await mkdir(join(folder, 'cache'));
    await writeFile(join(folder, '1.m4s'), Buffer.alloc(FILM_BYTES, 'film'));
    await writeFile(join(folder, 'small.txt'), 'small');
    await writeFile(
      join(folder, 'ssi.txt'),
      '<!--# include virtual="/1.m4s?CMCD=rtp%3D700" --><!--# echo var="cmcd_pace_kbps" -->',
    );
    [plain, proxied, origin] = [await freePort(), await freePort(), await freePort()];
    nginx = await startNginx({
      module: await ensureModule(() => undefined, { sanitize: true }),
      preload: await asanLibrary(),
      port: plain,
      workers: 2,
      onLine: (line) => said.push(line),
      http: CONFIGURATION(),
    });
  }, 240_000);
  afterAll(async () => {
    await nginx?.close();
    await rm(folder, { recursive: true, force: true });
    expect(said.filter((line) => HURT.test(line))).toEqual([]);
  });

  it.each([
    ['/rewrite/1.m4s', 200, 48_000, 'requested'],
    ['/break/1.m4s', 200, 48_000, 'requested'],
    ['/dropped/1.m4s', 200, 48_000, 'requested'],
    ['/if/1.m4s', 200, 48_000, 'requested'],
    ['/try/1.m4s', 200, 30_000, 'ceiling'],
    ['/page/1.m4s', 200, 48_000, 'requested'],
    ['/named/1.m4s', 200, 30_000, 'ceiling'],
    ['/error/1.m4s', 404, null, 'error-response'],
    ['/allowed/1.m4s', 200, 48_000, 'requested'],
    ['/denied/1.m4s', 401, null, 'error-response'],
    ['/mirrored/1.m4s', 200, 48_000, 'requested'],
    ['/gzip/1.m4s', 200, 48_000, 'requested'],
    ['/sub/1.m4s', 200, 48_000, 'requested'],
    ['/added/1.m4s', 200, 48_000, 'requested'],
    ['/ssi/ssi.txt', 200, 48_000, 'requested'],
    ['/buffers/1.m4s', 200, 48_000, 'requested'],
    ['/direct/1.m4s', 200, 48_000, 'requested'],
    ['/accel', 200, 48_000, 'requested'],
    ['/inside/1.m4s', 404, null, 'error-response'],
    ['/off/1.m4s', 200, null, 'switched-off'],
    ['/text', 200, 48_000, 'requested'],
    ['/limited/1.m4s', 200, 48_000, 'requested'],
    ['/once/1.m4s', 200, 48_000, 'requested'],
    ['/after/1.m4s', 200, 48_000, 'requested'],
    ['/cached/1.m4s', 200, 48_000, 'requested'],
    ['/cached/1.m4s', 200, 48_000, 'requested'],
    ['/real/1.m4s', 200, 48_000, 'requested'],
  ] as const)('%s is %i with %s: %s', async (path, status, pace_kbps, reason) => {
    const answer = await timedGet(url(`${path}?a=1&CMCD=rtp%3D48000`), {
      headers: { 'Accept-Encoding': 'gzip' },
    });
    expect(answer.status).toBe(status);
    expect(readReceipt(answer.headers)).toMatchObject({ pace_kbps, reason });
    // There is exactly one receipt, despite redirects and subrequests.
    expect(String(answer.headers['cmsd-dynamic']).match(/dashjs-sammy-pace=/g)).toHaveLength(1);
    if (pace_kbps !== null) expect(paceAtMost(answer)).toBeLessThan(1.1 * pace_kbps);
  });

  it('applies the configuration to a requested pace', async () => {
    expect((await timedGet(url('/if/1.m4s?CMCD=rtp%3D500'))).status).toBe(429);
    expect((await timedGet(url('/if/1.m4s?CMCD=rtp%3D90000'))).status).toBe(200);
  });

  it("applies the operator's limit_rate if that is lower", async () => {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    const slow = await timedGet(url('/slow/1.m4s?CMCD=rtp%3D90000'), {
      agent,
    });
    expect(paceAtMost(slow)).toBeLessThan(1024 * 8.192 * 1.6);
    const after = await timedGet(url('/1.m4s?CMCD=rtp%3D90000'), { agent });
    expect(after.goodput).toBeGreaterThan(20_000);
    agent.destroy();
  });

  it('does not pace a connection of a proxy', async () => {
    const get =
      'GET /1.m4s?CMCD=rtp%3D48000 HTTP/1.1\r\nHost: a\r\nRange: bytes=0-9\r\nConnection: close\r\n';
    for (const [to, text] of [
      [proxied, `PROXY TCP4 192.0.2.7 192.0.2.8 1234 80\r\n${get}\r\n`],
      [plain, `${get.replace('/1.', '/real/1.')}X-Real-IP: 192.0.2.7\r\n\r\n`],
      [join(folder, 'socket'), `${get}\r\n`],
      [join(folder, 'socket'), `${get}X-Real-IP: 192.0.2.7\r\n\r\n`],
    ] as const) {
      const heard = await raw(to, text);
      expect(heard).toContain('desc="not-client-socket"');
      expect(heard).toContain('dashjs-sammy-pace=0');
    }
    // Without X-Real-IP, the client connects directly.
    expect(await raw(plain, `${get.replace('/1.', '/real/1.')}\r\n`)).toContain('desc="requested"');
  });

  it('answers hostile requests without an invalid pace, and continues to serve', async () => {
    const closing = 'HTTP/1.1\r\nHost: a\r\nConnection: close\r\n';
    const names = ['Status', 'Object', 'Request', 'Session'];
    const many = Array.from({ length: 60 }, (_, index) => `CMCD-${names[index % 4] ?? ''}: rtp=${index}\r\n`);
    const asked: [text: string, status: number | null, reason: string | null][] = [
      // nginx responds to an empty path with a folder's index.
      [`GET http://edge?CMCD=rtp%3D1000 ${closing}\r\n`, 403, 'error-response'],
      [`GET /text?CMCD=rtp%3D5000#a?CMCD=rtp%3D5 ${closing}\r\n`, 200, 'requested'],
      // HTTP/0.9 has no headers.
      ['GET /1.m4s?CMCD=rtp%3D900000\r\n', null, null],
      [`OPTIONS * ${closing}\r\n`, 400, 'error-response'],
      [`GET /1.m4s?${'CMCD=rtp%3D1000&'.repeat(1900)} ${closing}\r\n`, 200, 'refused:cmcd-too-long'],
      [`GET /1.m4s?CMCD=${'%22'.repeat(9000)} ${closing}\r\n`, 200, 'refused:cmcd-too-long'],
      [`GET /1.m4s?CMCD=${'%22'.repeat(20_000)} ${closing}\r\n`, 414, 'error-response'],
      [`GET /1.m4s ${closing}${many.join('')}\r\n`, 200, 'refused:not-positive'],
      [`BREW /1.m4s?CMCD=rtp%3D1000 ${closing}\r\n`, 405, 'error-response'],
      [`PUT /put/a?CMCD=rtp%3D5000 ${closing}Content-Length: 3\r\n\r\nabc`, 201, 'requested'],
      [`GET /closed?CMCD=rtp%3D1000 ${closing}\r\n`, null, null],
      ['\x16\x03\x01\x02', 400, 'error-response'],
      ['GET /1.m4s HTTP/9.9\r\n\r\n', 505, 'error-response'],
      [`${'\r\n'.repeat(20)}X\r\n\r\n`, 400, 'error-response'],
    ];
    for (const [text, status, reason] of asked) {
      const heard = await raw(plain, text);
      const found = /^HTTP\/1\.1 (\d+)/.exec(heard)?.[1];
      expect(found === undefined ? null : Number(found)).toBe(status);
      expect(/pace;desc="([^"]*)"/.exec(heard)?.[1] ?? null).toBe(reason);
    }
    expect((await timedGet(url('/1.m4s?CMCD=rtp%3D90000'))).status).toBe(200);
  });
});

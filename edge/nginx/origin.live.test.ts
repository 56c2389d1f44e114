/**
 * nginx with the module in front of an origin: the origin's CORS headers, preflights, and the cache.
 */
import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { selectRange } from '../byte-range.ts';
import { paceAtMost, timedGet } from '../testing/timed-get.ts';
import { describeWithNginx, readReceipt, VIDEO_BYTES, video } from './live-nginx.ts';
import { proxyTo } from './location.ts';

describeWithNginx('nginx with the module in front of an origin', (live) => {
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
    const { url, complaints } = await live.startSanitized(
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

  describe('with a cache', () => {
    let origin: Server;
    let seen: string[];
    beforeAll(async () => {
      origin = createServer((message, response) => {
        seen.push(`${message.url ?? ''} ${String(message.headers['cmcd-status'] ?? '')}`);
        const range = selectRange(message.headers.range ?? null, VIDEO_BYTES);
        const whole = range === 'whole' || range === 'unsatisfiable';
        const { first, last } = whole ? { first: 0, last: VIDEO_BYTES - 1 } : range;
        response.writeHead(whole ? 200 : 206, {
          'Content-Length': last - first + 1,
          'Cache-Control': 'max-age=60',
          ETag: '"film"',
          ...(!whole && {
            'Content-Range': `bytes ${first}-${last}/${VIDEO_BYTES}`,
          }),
        });
        response.end(video.subarray(first, last + 1));
      }).listen(0, '127.0.0.1');
      await once(origin, 'listening');
    });
    afterAll(() => {
      origin.closeAllConnections();
      origin.close();
    });

    it('keeps one object in the cache for any CMCD, even in slices', async () => {
      seen = [];
      await mkdir(join(live.directory, 'cache'), { recursive: true });
      const { url } = await live.start(
        (port) => `
          proxy_cache_path ${live.directory}/cache keys_zone=media:1m;
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
      expect([first.bytes, second.bytes]).toEqual([VIDEO_BYTES, VIDEO_BYTES]);
      // 4 MB have four slices of 1 MiB.
      expect(seen).toEqual(Array<string>(4).fill('/1.m4s?a=1&b=2 '));
      expect(readReceipt(first).pace_kbps).toBe(40_000);
      expect(readReceipt(second).pace_kbps).toBe(80_000);
      expect(paceAtMost(second)).toBeLessThan(80_000 * 1.1);
    }, 30_000);

    it('keeps one object for any rtp and sum, in the query and in headers', async () => {
      seen = [];
      await mkdir(join(live.directory, 'cache-2'), { recursive: true });
      const { url } = await live.start(
        (port) => `
        proxy_cache_path ${live.directory}/cache-2 keys_zone=media:1m;
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
        expect(answer.bytes).toBe(VIDEO_BYTES);
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
});

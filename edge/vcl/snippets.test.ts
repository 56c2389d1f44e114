import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { Agent, createServer, request, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { parseReceipt } from '../../src/wire/receipt.ts';
import { freePort } from '../../system/free-port.ts';
import { FASTLY_SERVICE, snippet, VARNISH_SERVICE } from '../testing/snippet-services.ts';
import { paceCases, type PaceCase } from '../testing/pace-cases.ts';
import { socketPaces } from '../testing/socket-paces.ts';
import { FALCO_MISSING, findFalco, lintWithFalco, startFalco } from './falco.ts';
import { startVarnish, missingVarnishReason } from './varnish.ts';

/**
 * Tests the snippets for existing services, each within a service with a cache of its own: requests with CMCD are paced,
 * and the cache works as without the snippets.
 */
/** falco supports only HTTP/1.1, so a header marks requests that count as HTTP/2. */
const FASTLY = FASTLY_SERVICE.replaceAll('fastly_info.is_h2', 'req.http.Came-Over-H2');

it('are at most 85 lines each, and all are included here', () => {
  const names = readdirSync(new URL('snippets/', import.meta.url)).sort();
  for (const name of names) expect(snippet(name).trimEnd().split('\n').length, name).toBeLessThanOrEqual(85);
  expect(names).toEqual([
    'fastly-deliver.vcl',
    'fastly-miss-pass.vcl',
    'fastly-recv.vcl',
    'varnish-deliver.vcl',
    'varnish-recv.vcl',
  ]);
});

/** The receipt of another edge behind the cache, in two header lines. */
const INNER_RECEIPT = [
  'cdn;desc=MISS, pace;desc="requested", tcp-rtt;dur=950, tcp-minrtt;dur=900,tcp-sent;desc="1"',
  'tcp-cwnd;desc="1", tcp-connection;desc="inner"',
];

it('pass falco’s linter', async (context) => {
  if (findFalco() === undefined) return context.skip(FALCO_MISSING);
  await lintWithFalco(FASTLY_SERVICE);
});

const missing = {
  Varnish: missingVarnishReason(),
  falco: findFalco() === undefined ? FALCO_MISSING : null,
};

/** Cases in which the snippets differ from the other edges, as documented in docs/edge/existing-service.md. */
const OTHERWISE = ['more than VCL can set', 'the most that means a pace'];
const OTHERWISE_IN: Readonly<Record<string, readonly string[]>> = {
  // The Varnish snippet ignores CMCD from 3,600 characters on, and from 1,024 characters on after replacing strings.
  Varnish: ['7 kB, and an rtp', 'many keys'],
  // In falco, std.collect does nothing, and urldecode ends at a null byte.
  falco: ['the same header on two lines', 'one header on two lines, one rtp', 'a null byte, encoded'],
};

interface Answer {
  readonly status: number;
  readonly header: (name: string) => string | null;
  readonly clientPort: number;
}

describe.each(Object.entries(missing))('in %s', (server, missing) => {
  let origin: Server;
  let front: { readonly port: number; close(): Promise<void> };
  let seen: IncomingMessage[] = [];
  // falco closes each connection without announcing it.
  const agent = new Agent({ keepAlive: server === 'Varnish', maxSockets: 1 });

  beforeAll(async () => {
    if (missing !== null) return;
    origin = createServer((message, response) => {
      seen.push(message);
      const status = message.url?.startsWith('/missing') ? 404 : 200;
      const isPreflight = message.method === 'OPTIONS';
      const page = 'https://page.example';
      const own = { 'Access-Control-Allow-Origin': page, 'Timing-Allow-Origin': page };
      response
        .writeHead(isPreflight ? 403 : status, {
          'Content-Type': 'video/mp4',
          'Server-Timing': message.url?.startsWith('/edge') ? INNER_RECEIPT : 'cdn;desc=MISS',
          'Cache-Control': 'max-age=60',
          ...(message.url?.startsWith('/own') && own),
        })
        .end('media');
    }).listen(0, '127.0.0.1');
    await once(origin, 'listening');
    const { port } = origin.address() as AddressInfo;
    front =
      server === 'Varnish'
        ? await startVarnish({ backendPort: port, vcl: VARNISH_SERVICE })
        : await startFalco({ backendPort: await freePort(), originPort: port, vcl: FASTLY });
  }, 60_000);
  afterAll(async () => {
    agent.destroy();
    if (missing !== null) return;
    await front.close();
    origin.closeAllConnections();
    origin.close();
  });

  const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET'): Promise<Answer> => {
    const asked = request({ port: front.port, host: '127.0.0.1', path, headers, method, agent });
    const [response] = (await once(asked.end(), 'response')) as [IncomingMessage];
    const clientPort = response.socket.localPort ?? 0;
    const header = (name: string): string | null => response.headers[name.toLowerCase()]?.toString() ?? null;
    response.resume();
    await once(response, 'end');
    return { status: response.statusCode ?? 0, header, clientPort };
  };
  const sendTo = async ({ target, headers }: PaceCase) => {
    const lines = ['Host', 'edge', ...headers.flat()] as unknown as Record<string, string>;
    return ask(target, lines);
  };
  const verdict = async (query: string, headers: Record<string, string> = {}) => {
    const { pace_kbps, reason } = parseReceipt((await ask(`/v/1.m4s${query}`, headers)).header);
    return {
      steps: pace_kbps === null || pace_kbps === undefined ? null : Math.round(pace_kbps / 8.192),
      reason,
    };
  };
  const where = (name: string, test: () => Promise<void>): void =>
    it(name, async (context) => {
      if (missing !== null) return context.skip(missing);
      await test();
    });

  where('keep one object for twelve forms of CMCD, and pass none of them to the origin', async () => {
    seen = [];
    for (let rtp = 1100; rtp < 2300; rtp += 100) {
      expect((await ask(`/v/one.m4s?a=1&CMCD=rtp%3D${rtp}&b=2`, { 'CMCD-Object': `br=${rtp}` })).status).toBe(
        200,
      );
    }
    expect(seen.map(({ url }) => url)).toEqual(['/v/one.m4s?a=1&b=2']);
    const named = Object.keys(seen[0]?.headers ?? {});
    expect(named.filter((name) => /^(cmcd|x-sammy)-/.test(name))).toEqual([]);
  });

  where('keep one object for all values of rtp and sum, in the query and in headers', async () => {
    seen = [];
    for (const rtp of [1100, 2300, 9900])
      for (const sum of [1100, 4600, 20_000]) {
        const cmcd = `io.github.dashjs-sammy,io.github.dashjs-sammy-sum=${sum},rtp=${rtp}`;
        await ask(`/v/two.m4s?CMCD=${encodeURIComponent(cmcd)}`);
        await ask('/v/two.m4s', { 'CMCD-Status': cmcd });
      }
    await ask('/v/two.m4s');
    expect(seen.map(({ url }) => url)).toEqual(['/v/two.m4s']);
  });

  // Whether the snippets support a case of edge/cases.json. For a refused rtp, their reason is no-rtp.
  const isRead = ({ name, reason, config, status, method, target, skip }: PaceCase): boolean =>
    Object.keys(config).length === 0 &&
    status === 200 &&
    method === 'GET' &&
    reason !== 'error-response' &&
    target.startsWith('/v/') &&
    !(skip.varnish ?? skip.falco) &&
    ![...OTHERWISE, ...(OTHERWISE_IN[server] ?? [])].includes(name);
  for (const given of paceCases.filter(isRead)) {
    where(given.name, async () => {
      const { pace_kbps = null, reason } = parseReceipt((await sendTo(given)).header);
      const [least, most] = [server === 'Varnish' ? 13 : 128, 2_097_151];
      const steps = given.pace_kbps && Math.min(most, Math.max(least, Math.ceil(given.pace_kbps / 8.192)));
      expect(pace_kbps && Math.round(pace_kbps / 8.192)).toBe(steps);
      const isRaised = given.pace_kbps !== null && given.pace_kbps / 8.192 <= least - 1;
      expect(reason).toBe(given.pace_kbps === null ? 'no-rtp' : isRaised ? 'floor' : given.reason);
    });
  }

  // The paces are in KB/s (1,024 bytes, 8.192 kbit/s): 5,000 kbit/s = 610.35 KB/s, rounded up.
  const CASES: [string, Record<string, string>, number | null, string][] = [
    ['?CMCD=rtp=5000,su', {}, 611, 'requested'],
    ['', { 'CMCD-Status': 'bs,rtp=5000' }, 611, 'requested'],
    ['?CMCD=rtp%3D5000.0000', {}, 611, 'requested'],
    ['?CMCD=com.example-rtp%3D5000', {}, null, 'no-rtp'],
    ['?CMCD=rtp%3D%22x%225000', {}, null, 'no-rtp'],
    ['?CMCD=rtp%3D10000000', {}, null, 'no-rtp'],
    // 3 × br = 12,000 kbit/s = 1,464.8 KB/s, rounded up.
    ['?CMCD=br%3D4000.000%2Crtp%3D5000.00%3Bx', {}, 1465, 'foreign-player'],
    ['', { 'CMCD-Object': 'br=4000', 'CMCD-Status': 'rtp=5000' }, 1465, 'foreign-player'],
    ['?CMCD=br%3D4000%2Cio.github.dashjs-sammy%2Crtp%3D5000', {}, 611, 'requested'],
    // 3 × br = 30 Gbit/s is more than the maximum pace of a socket, 17 Gbit/s.
    ['?CMCD=br%3D9999999%2Crtp%3D5000', {}, 2_097_151, 'ceiling'],
  ];
  for (const [query, headers, steps, reason] of CASES) {
    where(`pace ${query || JSON.stringify(headers)} at ${steps} KB/s`, async () => {
      expect(await verdict(query, headers)).toEqual({ steps, reason });
    });
  }

  // The Varnish snippet ignores CMCD of 3,600 characters or more. No length may result in a status of 500 or above.
  for (const [bytes, place, steps] of [
    [1_100, 'query', 611],
    [2_000, 'header', 611],
    [3_500, 'query', 611],
    [7_500, 'query', server === 'Varnish' ? null : 611],
    [7_500, 'header', server === 'Varnish' ? null : 611],
  ] as const) {
    where(`serve the video for CMCD with a string of ${bytes} characters in a ${place}`, async () => {
      for (const text of ['a', '\\"', ',rtp=1,']) {
        const string = text.repeat(bytes / text.length).slice(0, bytes);
        const [query, headers] =
          place === 'query'
            ? [`?CMCD=rtp=5000,nor="${string}"`, {}]
            : ['', { 'CMCD-Object': `nor="${string}"`, 'CMCD-Status': 'rtp=5000' }];
        const answer = await ask(`/v/1.m4s${query}`, headers);
        expect([text, answer.status]).toEqual([text, 200]);
        expect(await verdict(query, headers)).toEqual({ steps, reason: steps ? 'requested' : 'no-rtp' });
      }
    });
  }

  const OVER_HTTP2: [string, number | null, number | undefined, string][] = [
    // The response's pace is 3,300 kbit/s. The socket gets 6,400 kbit/s = 781.25 KB/s (1,024 bytes), rounded up.
    ['io.github.dashjs-sammy,io.github.dashjs-sammy-sum=6400,rtp=3300', 3300, 782 * 8.192, 'requested'],
    ['io.github.dashjs-sammy,io.github.dashjs-sammy-sum=6400.0,rtp=3300', 3300, 782 * 8.192, 'requested'],
    [
      'io.github.dashjs-sammy,io.github.dashjs-sammy-sum=6400.5,rtp=3300',
      ...([null, undefined, 'shared-connection'] as const),
    ],
    [
      'io.github.dashjs-sammy,io.github.dashjs-sammy-sum=6400,io.github.dashjs-sammy-sum=6500,rtp=3300',
      ...([null, undefined, 'shared-connection'] as const),
    ],
    ['io.github.dashjs-sammy,rtp=3300', null, undefined, 'shared-connection'],
    ['io.github.dashjs-sammy,io.github.dashjs-sammy-sum=3200,rtp=3300', null, undefined, 'shared-connection'],
    ['io.github.dashjs-sammy-sum=6400', null, undefined, 'no-rtp'],
  ];
  // Browsers use HTTP/2 with the program that terminates TLS in front of Varnish.
  for (const [cmcd, own, socket, reason] of server === 'Varnish' ? [] : OVER_HTTP2) {
    it(`pace an HTTP/2 connection by the plug-in's sum: ${cmcd}`, async (context) => {
      if (missing !== null) return context.skip(missing);
      const { header } = await ask(`/v/1.m4s?CMCD=${encodeURIComponent(cmcd)}`, { 'Came-Over-H2': '1' });
      const receipt = parseReceipt(header);
      expect([receipt.pace_kbps, receipt.reason]).toEqual([own, reason]);
      expect(receipt.socket_pace_kbps ?? 0).toBeCloseTo(socket ?? 0, 3);
    });
  }

  where("pace at no less than 100 kbit/s, or at Fastly's minimum", async () => {
    const steps = server === 'Varnish' ? 13 : 128;
    for (const rtp of [1, 99]) {
      expect(await verdict(`?CMCD=io.github.dashjs-sammy%2Crtp%3D${rtp}`)).toEqual({
        steps,
        reason: 'floor',
      });
    }
  });

  where('serve an error unpaced, and keep the service’s own headers', async () => {
    const { status, header } = await ask('/missing.m4s?CMCD=rtp%3D5000');
    expect(status).toBe(404);
    expect(parseReceipt(header)).toMatchObject({ pace_kbps: null, reason: 'error-response' });
    expect(header('Server-Timing')).toMatch(/^cdn;desc=MISS, pace;/);
    expect(header('X-Sammy-Rtp-Kbps')).toBeNull();
  });

  where(
    'let the player learn from their own receipt alone, not from one that the cache has kept',
    async () => {
      for (const from of ['the origin', 'the cache']) {
        const { header } = await ask('/edge/1.m4s?CMCD=rtp%3D5000');
        const { pace_kbps, ...others } = parseReceipt(header);
        expect([from, Math.round((pace_kbps ?? 0) / 8.192), others]).toEqual([
          from,
          611,
          { reason: 'requested' },
        ]);
        const timing = header('Server-Timing') ?? '';
        expect(timing).toMatch(
          /^cdn;desc=MISS, upstream-pace;desc="requested", upstream-tcp-rtt;dur=950, .*, pace;desc="requested"$/,
        );
        // falco's std.collect does nothing, so only the first line is processed there.
        if (server === 'Varnish') expect(timing).toContain(', upstream-tcp-cwnd;desc="1", ');
      }
    },
  );

  where('let any page play, also with CMCD in headers, unless the origin restricts it', async () => {
    const { header } = await ask('/v/1.m4s');
    expect(header('Access-Control-Allow-Origin')).toBe('*');
    expect(header('Timing-Allow-Origin')).toBe('*');
    expect(header('Access-Control-Expose-Headers')).toBe('CMSD-Dynamic, Server-Timing');
    const asked = {
      Origin: 'https://page.example',
      'Access-Control-Request-Method': 'GET',
      'Access-Control-Request-Headers': 'authorization,x-token',
    };
    const preflight = await ask('/v/1.m4s', asked, 'OPTIONS');
    // Browsers accept any status from 200 to 299.
    expect(preflight.status).toBe(200);
    expect(preflight.header('Access-Control-Allow-Origin')).toBe('*');
    expect(preflight.header('Access-Control-Allow-Headers')).toMatch(
      /CMCD-Status, .*, authorization,x-token$/,
    );
    const odd = { ...asked, 'Access-Control-Request-Headers': 'a"b' };
    expect((await ask('/v/1.m4s', odd, 'OPTIONS')).header('Access-Control-Allow-Headers')).toMatch(
      /, Range$/,
    );

    const own = await ask('/own.m4s', asked, 'OPTIONS');
    expect(own.status).toBe(403);
    expect(own.header('Access-Control-Allow-Origin')).toBe('https://page.example');
    expect(own.header('Timing-Allow-Origin')).toBe('https://page.example');
    expect(own.header('Access-Control-Allow-Headers')).toBeNull();
  });

  where('ignore a pace that a client sets with an internal header', async () => {
    expect(await verdict('', { 'X-Sammy-Rtp-Kbps': '5000' })).toEqual({ steps: null, reason: 'no-rtp' });
  });

  // falco does not pace.
  if (server === 'Varnish')
    it("set the socket to the receipt's pace, and release it", async (context) => {
      if (missing !== null) return context.skip(missing);
      const { clientPort } = await ask('/v/1.m4s?CMCD=rtp%3D5000');
      expect((await socketPaces(front.port, [clientPort]))[0]).toBeCloseTo(611 * 8.192, 2);
      const after = await ask('/v/1.m4s');
      expect(after.clientPort).toBe(clientPort);
      expect((await socketPaces(front.port, [clientPort]))[0]).toBeGreaterThan(1e6);
    });

  it('serve from the cache while the origin is down', async (context) => {
    if (missing !== null) return context.skip(missing);
    expect((await ask('/v/kept.m4s?CMCD=rtp%3D5000')).status).toBe(200);
    origin.closeAllConnections();
    origin.close();
    await once(origin, 'close');
    expect((await ask('/v/kept.m4s?CMCD=rtp%3D9000')).status).toBe(200);
  });
});

import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import {
  Agent,
  createServer,
  request,
  type IncomingHttpHeaders,
  type RequestListener,
  type Server,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe as describeAll, expect, it, vi } from 'vitest';
import { kbps, seconds } from '../../src/units.ts';
import { createHandler } from '../handler.ts';
import { directoryOrigin } from '../local/directory-origin.ts';
import { selfSigned } from '../local/self-signed.ts';
import { startEdge } from '../local/server.ts';
import { paceLimits, type PaceLimits } from '../policy.ts';
import { VARNISH_SERVICE } from '../testing/snippet-services.ts';
import { startVarnish, missingVarnishReason } from '../vcl/varnish.ts';
import { check } from './command.ts';
import { describe } from './describe.ts';
import { examine } from './examine.ts';

const FILM_BYTES = 2_000_000;
let root: string;
const closing: (() => unknown)[] = [];
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'edge-check-'));
  writeFileSync(join(root, '1.m4s'), new Uint8Array(FILM_BYTES));
});
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});
afterAll(() => rmSync(root, { recursive: true }));

/** Runs `check`, which by default requests 1 s of the file at 12 Mbit/s: 1.5 of its 2 MB. */
const verdictOn = async (
  url: string,
  rtp = kbps(12_000),
  time = seconds(1),
): Promise<{ ok: boolean; lines: string[] }> =>
  describe(await examine(new URL(url), { rtp, by: 'query', insecure: true, time }));

async function serve(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  closing.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/1.m4s`;
}
const media: RequestListener = (_, response) =>
  void response.writeHead(200, { 'Content-Type': 'video/mp4' }).end(Buffer.alloc(FILM_BYTES));

it.each([
  ['http', 12, 1],
  ['https', 12, 1],
  // 4 s at 2 Mbit/s are 1 MB: sixteen bursts of 64 kB, of which the first does not show the pace. On a busy machine,
  // the process of edge and client may miss a burst.
  ['https', 2, 4],
])('reports a paced URL as paced, over %s at %i Mbit/s', async (scheme, rate_mbps, time_s) => {
  const handler = createHandler({ origin: await directoryOrigin(root), limits: paceLimits() });
  const tls = scheme === 'https' ? await selfSigned() : undefined;
  const edge = await startEdge({ handler, port: 0, ...(tls && { tls }) });
  closing.push(() => edge.close());
  const { lines } = await verdictOn(`${edge.url}/1.m4s`, kbps(rate_mbps * 1000), seconds(time_s));
  const protocol = scheme === 'http' ? 'HTTP/1.1' : 'HTTP/2';
  expect(lines[0]).toMatch(
    new RegExp(
      `^PACED over ${protocol}: [\\d.]+ Mbit/s of ${rate_mbps}\\.0+ Mbit/s .*no cache identified itself`,
    ),
  );
});

it('measures a segment of ordinary size with several requests', async () => {
  writeFileSync(join(root, '2.m4s'), new Uint8Array(600_000));
  const handler = createHandler({ origin: await directoryOrigin(root), limits: paceLimits() });
  const edge = await startEdge({ handler, port: 0 });
  closing.push(() => edge.close());
  const { lines } = await verdictOn(`${edge.url}/2.m4s`, kbps(12_000), seconds(2));
  expect(lines[0]).toMatch(/^PACED over HTTP\/1\.1: /);
});

it('detects a server that does not pace, and one that only claims to', async () => {
  expect((await verdictOn(await serve(media))).lines[0]).toMatch(
    /^NOT PACED over HTTP\/1\.1: the answer has no receipt$/,
  );
  const liar = await serve((message, response) => {
    response.setHeader('CMSD-Dynamic', '"dashjs-sammy";io.github.dashjs-sammy-pace=12000');
    media(message, response);
  });
  expect((await verdictOn(liar)).lines[0]).toMatch(/^NOT PACED .* the receipt says 12\.0 Mbit\/s, but /);
});

/** Starts an HTTP proxy in front of an edge. It uses one connection per request, or reuses connections. */
const proxyTo = (
  edge: string,
  agent: Agent,
  change: (headers: IncomingHttpHeaders) => void = () => undefined,
) =>
  serve((message, response) => {
    const asked = request(new URL(message.url ?? '', edge), { agent, headers: message.headers }, (answer) => {
      change(answer.headers);
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    asked.on('error', () => response.destroy()).end();
  });

describeAll('wrong set-ups', () => {
  const startTestEdge = async (limits: PaceLimits = paceLimits()) => {
    const edge = await startEdge({
      handler: createHandler({ origin: await directoryOrigin(root), limits }),
      port: 0,
    });
    closing.push(() => edge.close());
    return edge.url;
  };
  const stripping =
    (...names: string[]) =>
    (headers: IncomingHttpHeaders) => {
      for (const name of names) Reflect.deleteProperty(headers, name);
    };
  const agents = { fresh: new Agent({ keepAlive: false }), kept: new Agent({ keepAlive: true }) };
  afterAll(() => agents.kept.destroy());
  const CASES: [name: string, url: () => Promise<string>, ok: boolean, ...lines: RegExp[]][] = [
    ['an edge', async () => `${await startTestEdge()}/1.m4s`, true, /^PACED over/],
    [
      'a proxy in front, with a connection for each request',
      async () => proxyTo(await startTestEdge(), agents.fresh),
      false,
      /^NOT PACED .*another program ends your connection/,
    ],
    [
      'a proxy in front, with connections that it keeps',
      async () => proxyTo(await startTestEdge(), agents.kept),
      false,
      /^NOT PACED .*another program ends your connection/,
    ],
    [
      'a proxy that removes the receipt',
      async () => proxyTo(await startTestEdge(), agents.fresh, stripping('cmsd-dynamic', 'server-timing')),
      false,
      /^PACED, NOT TOLD .* no receipt/,
      /^something between removes CMSD-Dynamic/,
    ],
    [
      'a switch',
      async () => `${await startTestEdge(paceLimits({ switchedOff: true }))}/1.m4s`,
      false,
      /^NOT PACED .*: switched-off$/,
    ],
    [
      'a ceiling',
      async () => `${await startTestEdge(paceLimits({ ceiling_kbps: 9000 }))}/1.m4s`,
      true,
      /^PACED .* of 9\.00 Mbit\/s .*, the ceiling, where 12\.0 Mbit\/s was asked for/,
    ],
    [
      'a floor',
      async () => `${await startTestEdge(paceLimits({ floor_kbps: 14_000 }))}/1.m4s`,
      true,
      /^PACED .* of 14\.0 Mbit\/s .*, the floor, where 12\.0 Mbit\/s was asked for/,
    ],
    [
      'CMCD that is refused',
      () =>
        serve((message, response) =>
          (message.url ?? '').includes('CMCD')
            ? void response.writeHead(403).end()
            : media(message, response),
        ),
      false,
      /^NOT PACED: with CMCD the status is 403/,
    ],
    [
      'CMCD that is removed',
      async () => {
        const edge = await startTestEdge();
        return serve((message, response) => {
          const asked = request(
            `${edge}/1.m4s`,
            { agent: agents.fresh, headers: message.headers },
            (answer) => {
              response.writeHead(answer.statusCode ?? 502, answer.headers);
              answer.pipe(response);
            },
          );
          asked.end();
        });
      },
      false,
      /^NOT PACED .*: no-rtp$/,
      /removes CMCD/,
    ],
  ];
  it.each(CASES)('of %s', async (_, url, ok, ...expected) => {
    const { ok: told, lines } = await verdictOn(await url());
    expect([told, lines.slice(0, expected.length)], lines.join('\n')).toEqual([
      ok,
      expected.map((line) => expect.stringMatching(line) as string),
    ]);
  });
});

it('finds a segment in a manifest', async () => {
  writeFileSync(join(root, 'm.m3u8'), '#EXTM3U\n#EXTINF:4,\n1.m4s\n');
  const edge = await startEdge({
    handler: createHandler({ origin: await directoryOrigin(root), limits: paceLimits() }),
    port: 0,
  });
  closing.push(() => edge.close());
  const log = vi.spyOn(console, 'log').mockImplementation(() => undefined);
  try {
    await check([`${edge.url}/m.m3u8`, '--rtp-kbps', '12000']);
    const [named, verdict] = log.mock.calls.map(([text]) => String(text));
    expect(named).toBe(`the manifest names ${edge.url}/1.m4s`);
    expect(verdict).toMatch(/^PACED over/);
  } finally {
    log.mockRestore();
  }
});

it('tests HTTP/3 only if the server offers it', async () => {
  const offering = await serve((message, response) => {
    response.setHeader('Alt-Svc', 'h3=":443"; ma=86400');
    media(message, response);
  });
  expect((await verdictOn(offering)).lines.join('\n')).toContain('no curl with HTTP/3');
  expect((await verdictOn(await serve(media))).lines.join('\n')).not.toContain('HTTP/3');
});

it('finds one copy in Varnish with the snippets, and one for each CMCD in a cache without them', async (context) => {
  const missing = missingVarnishReason();
  if (missing !== null) return context.skip(missing);
  const backendPort = Number(new URL(await serve(media)).port);
  for (const [vcl, ok, line] of [
    [VARNISH_SERVICE, true, /^PACED .*the cache keeps one copy, whatever the CMCD$/],
    [
      VARNISH_SERVICE.replace(/set req\.url = [^;]*;/, ''),
      false,
      /^PACED .*, but the cache keeps a copy for each CMCD$/,
    ],
  ] as const) {
    const varnish = await startVarnish({ backendPort, vcl });
    closing.push(() => varnish.close());
    const { ok: told, lines } = await verdictOn(`${varnish.url}/1.m4s`);
    expect([told, lines[0]]).toEqual([ok, expect.stringMatching(line)]);
  }
});

it.each([
  [[], /^check: expected one URL, of a media segment or of a manifest$/],
  [['ftp://x/'], /^check: 'ftp:\/\/x\/' is no http\(s\) URL$/],
  [['http://x/', '--rtp-kbps', '0'], /^--rtp-kbps is '0'; expected kbit\/s/],
  [['http://x/', '--cmcd', 'body'], /^--cmcd is 'body'; expected query or header$/],
  [['http://127.0.0.1:2/x'], /^http:\/\/127\.0\.0\.1:2\/x cannot be requested: .*ECONNREFUSED/],
])('refuses %j in one line', async (args, line) => {
  await expect(check(args)).rejects.toThrow(line);
});

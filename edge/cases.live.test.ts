import { once } from 'node:events';
import { connect, type IncomingHttpHeaders, type IncomingHttpStatusHeader } from 'node:http2';
import { finished } from 'node:stream/promises';
import { createServer, request as httpRequest, type IncomingMessage, type Server } from 'node:http';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { kBps, kBpsToKbps, kbps, kbpsToKBps, milliseconds } from '../src/units.ts';
import { parseReceipt, RECEIPT_HEADERS } from '../src/wire/receipt.ts';
import { membersOf } from '../src/wire/structured-field.ts';
import { selectRange } from './byte-range.ts';
import { chainLack, startChain, type Chain } from './chain.ts';
import { readConfig, type StoreValues } from './compute/config.ts';
import { freePort } from '../system/free-port.ts';
import { fetchAsSent } from './local/fetch-as-sent.ts';
import { createHandler } from './handler.ts';
import { INTERNAL_HEADERS, takeVerdict } from './internal-headers.ts';
import { curlHttp3 } from './check/curl-http3.ts';
import { paceCases, type Implementation, type PaceCase } from './testing/pace-cases.ts';
import { paceDirectives, proxyTo } from './nginx/location.ts';
import { ensureModule, nginxLack } from './nginx/module.ts';
import { findNginxOfTrixie, type NginxOfTrixie, type NginxProgram } from './nginx/program.ts';
import { startNginx, type Nginx } from './nginx/server.ts';
import { selfSigned } from './local/self-signed.ts';
import { decidePace, type RequestVerdict } from './policy.ts';
import { urlOrigin } from './url-origin.ts';
import { FALCO_MISSING, findFalco, lintWithFalco, startFalco, type Falco } from './vcl/falco.ts';
import { mountOrigins } from './via.ts';

const lack = await chainLack();
const lackOfNginx = await nginxLack();

/** An implementation's answer, and the request that its origin got. */
interface Answer {
  readonly status: number;
  readonly header: (name: string) => string | null;
}

let origin: Server;
let seen: { target: string; headers: Record<string, unknown> }[] = [];
let chain: Chain | undefined;
let falco: Falco | undefined;
const falcoLack = lack ?? (findFalco() === undefined ? FALCO_MISSING : null);
let nginx: Nginx | undefined;
/** A server of nginx for each configuration in the table, by its directives. */
const nginxPorts = new Map<string, number>();
const trixie = findNginxOfTrixie();
const lackOfHttp3 =
  lackOfNginx ?? (trixie === undefined ? 'Debian 13’s nginx is not downloaded: npm test' : null);
/** The same of an nginx that speaks HTTP/3, and the client. */
let http3: { nginx: Nginx; ports: Map<string, number>; curl: readonly string[] } | undefined;
const port = (): number => (origin.address() as AddressInfo).port;
const originUrl = (): string => `http://127.0.0.1:${port()}`;
/** The same server under another name is another origin. */
const other = (): string => `localhost:${port()}`;

beforeAll(async () => {
  origin = createServer((message, response) => {
    seen.push({ target: message.url ?? '', headers: message.headers });
    serveOrigin(message, response);
  });
  origin.listen(0);
  await once(origin, 'listening');
  if (lack === null) chain = await startChain({ origin: originUrl() });
  if (falcoLack === null) falco = await startFalco({ backendPort: chain?.viceroy.port ?? 0 });
  if (lackOfNginx === null)
    nginx = await startNginxForCases(nginxPorts, (port) => `listen 127.0.0.1:${port};`);
  if (lackOfHttp3 === null && trixie !== undefined) http3 = await startHttp3ForCases(trixie);
}, 240_000);
afterAll(async () => {
  await falco?.close();
  await chain?.close();
  await nginx?.close();
  await http3?.nginx.close();
  origin.closeAllConnections();
  origin.close();
});

describe('every case of edge/cases.json', () => {
  it('has a name of its own, and there are at least 60', () => {
    expect(new Set(paceCases.map(({ name }) => name)).size).toBe(paceCases.length);
    expect(paceCases.length).toBeGreaterThanOrEqual(60);
  });

  each('policy', policySkip, (given) => {
    const decided = decidePace(fetchRequest(given), readConfig(storeOf(given.config)).limits);
    expect(verdictOf(decided)).toEqual(verdictIn(given));
  });

  each(
    'handler',
    () => null,
    async (given) => {
      const config = readConfig(storeOf(given.config));
      const open = (url: string, forward: readonly string[] = []) =>
        urlOrigin(url, { fetch: fetchAsSent, forward });
      const main = open(originUrl(), config.forwardHeaders);
      const handler = createHandler({
        origin: mountOrigins({ main, allowed: config.allowed, open: (url) => open(url) }),
        limits: config.limits,
        credentialsOrigins: config.credentialsOrigins,
        experiments: {
          list: () => config.experiments,
          cluster: config.cluster.replaceAll('{pop}', 'default'),
          now: () => milliseconds(Date.now()),
        },
      });
      const { status, headers } = await handler(fetchRequest(given));
      expectAnswer(given, { status, header: (name) => headers.get(name) });
      expectVerdict(given, headers);
    },
  );

  each(
    'compute',
    () => lack,
    async (given) => {
      await chain?.configure(configOf(given));
      const answer = await send(chain?.viceroy.port ?? 0, given);
      expectAnswer(given, answer);
      const headers = new Headers();
      for (const name of Object.values(INTERNAL_HEADERS)) {
        const value = answer.header(name);
        if (value !== null) headers.set(name, value);
      }
      expectVerdict(given, headers);
    },
  );

  each(
    'varnish',
    () => lack,
    async (given) => {
      await chain?.configure(configOf(given));
      const answer = await send(chain?.varnish.port ?? 0, given);
      expectReceipt(given, answer, VARNISH_FLOOR_KBPS);
    },
  );

  each(
    'varnish over HTTP/2',
    () => lack,
    async (given) => {
      await chain?.configure(configOf(given));
      const answer = await sendOverHttp2(chain?.varnish.url ?? '', given);
      expectAnswer(given, answer);
      const { pace_kbps = null, socket_pace_kbps = pace_kbps, reason } = parseReceipt(answer.header);
      const { connection } = given;
      const own = connection.pace_kbps === null ? null : given.pace_kbps;
      expect([pace_kbps, socket_pace_kbps, reason ?? null]).toEqual([
        own === null ? null : expect.closeTo(inSteps(own), 3),
        connection.pace_kbps === null ? null : expect.closeTo(inSteps(connection.pace_kbps), 3),
        connection.reason,
      ]);
    },
  );

  each(
    'nginx',
    () => lackOfNginx,
    async (given) => {
      const answer = await send(nginxPorts.get(paceDirectives(given.config)) ?? 0, given);
      expectReceiptOfNginx(given, answer);
    },
  );

  each(
    'nginx over HTTP/3',
    () => lackOfHttp3,
    async (given) => {
      if (http3 === undefined) throw new Error('nginx did not start');
      const { method, headers } = given;
      const url = `https://127.0.0.1:${http3.ports.get(paceDirectives(given.config))}/`;
      const [answer] = await curlHttp3(http3.curl, [{ url, method, target: targetOf(given), headers }]);
      if (answer === undefined) throw new Error('no answer');
      expectReceiptOfNginx(given, answer);
    },
  );

  each(
    'falco',
    () => falcoLack,
    async (given) => {
      await chain?.configure(configOf(given));
      expectReceipt(given, await send(falco?.port ?? 0, given), FASTLY_FLOOR_KBPS);
    },
  );
});

describe('fastly.vcl in falco, before Compute', () => {
  it('has nothing that its linter objects to', async (context) => {
    if (falcoLack !== null) return context.skip(falcoLack);
    await lintWithFalco();
  });
});

/** A server of nginx for each configuration in the table; its port is written into `ports`. */
async function startNginxForCases(
  ports: Map<string, number>,
  listen: (port: number) => string,
  program?: NginxProgram,
): Promise<Nginx> {
  const module = await ensureModule(() => undefined, program && { nginx: program });
  for (const { config } of paceCases) ports.set(paceDirectives(config), 0);
  for (const directives of ports.keys()) ports.set(directives, await freePort());
  const servers = [...ports].map(
    ([directives, port]) => `server { ${listen(port)} ${directives} ${proxyTo(originUrl())} }`,
  );
  return startNginx({
    module,
    ...(program && { nginx: program }),
    port: [...ports.values()][0] ?? 0,
    // Large enough for the cases with much too long CMCD; the default of 8 kB is enough for players.
    http: `large_client_header_buffers 4 128k; ${servers.join('\n')}`,
  });
}

async function startHttp3ForCases({
  nginx: program,
  curl,
}: NginxOfTrixie): Promise<NonNullable<typeof http3>> {
  const { cert, key } = await selfSigned();
  const folder = await mkdtemp(join(tmpdir(), 'http3-cases-'));
  const ports = new Map<string, number>();
  try {
    await writeFile(join(folder, 'cert.pem'), cert);
    await writeFile(join(folder, 'key.pem'), key);
    const listen = (port: number): string =>
      `listen 127.0.0.1:${port} ssl; listen 127.0.0.1:${port} quic;
       ssl_certificate ${folder}/cert.pem; ssl_certificate_key ${folder}/key.pem;`;
    return { nginx: await startNginxForCases(ports, listen, program), ports, curl };
  } finally {
    // nginx has read them.
    await rm(folder, { recursive: true, force: true });
  }
}

function each(
  implementation: Implementation,
  skip: (given: PaceCase) => string | null,
  test: (given: PaceCase) => Promise<void> | void,
): void {
  describe(implementation, () => {
    // falco is rarely installed: without it one test is shown as skipped, not one per case.
    if (implementation === 'falco' && falcoLack !== null) {
      it('every case', (context) => context.skip(falcoLack));
      return;
    }
    for (const given of paceCases) {
      const reason = given.skip[implementation] ?? skip(given);
      it(given.name, async (context) => {
        if (reason !== null) return context.skip(reason);
        seen = [];
        await test(given);
      });
    }
  });
}

const policySkip = ({ reason }: PaceCase): string | null =>
  reason === null || reason === 'error-response' ? 'the policy sees requests only, not their answers' : null;

const configOf = ({ config }: PaceCase): StoreValues => ({
  ...config,
  ...(config.allowed_origins && { allowed_origins: config.allowed_origins.replace('{other}', other()) }),
});
const storeOf = (config: StoreValues) => (key: keyof StoreValues) =>
  config[key]?.replace('{other}', other()) ?? null;
const targetOf = ({ target }: PaceCase): string => target.replace('{other}', other());

function fetchRequest(given: PaceCase): Request {
  const headers = new Headers();
  for (const [name, value] of given.headers) headers.append(name, value);
  return new Request(`http://edge${targetOf(given)}`, {
    method: given.method,
    headers,
    ...(given.method === 'POST' && { body: 'x' }),
  });
}

/** Sends a case's request over HTTP/1.1 with its target and header lines unchanged. */
async function send(toPort: number, given: PaceCase): Promise<Answer> {
  const request = httpRequest({
    port: toPort,
    host: '127.0.0.1',
    method: given.method,
    path: targetOf(given),
    headers: ['Host', 'edge', ...given.headers.flat()] as unknown as Record<string, string>,
    agent: false,
  });
  request.end(given.method === 'POST' ? 'x' : undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.resume();
  await once(response, 'end');
  return {
    status: response.statusCode ?? 0,
    header: (name) => {
      const value = response.headers[name.toLowerCase()];
      return value === undefined ? null : String(value);
    },
  };
}

async function sendOverHttp2(url: string, given: PaceCase): Promise<Answer> {
  const session = connect(url);
  try {
    const headers: Record<string, string[]> = {};
    for (const [name, value] of given.headers) (headers[name] ??= []).push(value);
    const stream = session.request({ ':method': given.method, ':path': targetOf(given), ...headers });
    stream.end();
    const [response] = (await once(stream, 'response')) as [IncomingHttpHeaders & IncomingHttpStatusHeader];
    await finished(stream.resume());
    return {
      status: response[':status'] ?? 0,
      header: (name) => response[name.toLowerCase()]?.toString() ?? null,
    };
  } finally {
    session.destroy();
  }
}

function expectAnswer(given: PaceCase, { status, header }: Answer): void {
  expect(status).toBe(given.status);
  if (given.response['access-control-allow-origin'] === undefined)
    expect(header('Access-Control-Allow-Origin')).toBe('*');
  for (const [name, value] of Object.entries(given.response)) expect(header(name)).toBe(value);
  expectOneReceipt(header('Server-Timing') ?? '');
  if (given.told !== undefined) expect(header('Server-Timing')).toContain(given.told);
  if (given.originSaw !== undefined) expect(seen.map(({ target }) => target)).toEqual([given.originSaw]);
  // The origin must get neither CMCD nor internal headers.
  for (const { target, headers } of seen) {
    expect(target).not.toMatch(/CMCD/);
    expect(Object.keys(headers).filter((name) => /^(cmcd|x-sammy)-/.test(name))).toEqual([]);
  }
}

/** Checks that a response has no receipt but the edge's own, in whatever way a player reads it. */
function expectOneReceipt(serverTiming: string): void {
  const names = membersOf(serverTiming).map((member) => member.split(';', 1)[0] ?? '');
  const ofReceipts = names.filter((name) => /^(pace|tcp-\w+)$/i.test(name));
  expect(ofReceipts).toEqual([...new Set(ofReceipts)]);
  expect(serverTiming).not.toMatch(/(^|,\s*)tcp-\w+;(dur=9[05]0|desc="(1|inner)")/);
}

function expectReceiptOfNginx(given: PaceCase, answer: Answer): void {
  expectAnswer(given, answer);
  for (const name of Object.values(INTERNAL_HEADERS)) expect(answer.header(name)).toBeNull();
  const { pace_kbps, reason } = parseReceipt(answer.header);
  expect({ pace: pace_kbps ?? null, reason: reason ?? null }).toEqual({
    pace: given.pace_kbps,
    reason: given.reason,
  });
}

/** 128 KB/s, the smallest value of client.socket.pace. */
const FASTLY_FLOOR_KBPS = kBpsToKbps(kBps(128));

/** 13 KB/s, the step above the 100 kbit/s that every edge has as its least pace. */
const VARNISH_FLOOR_KBPS = kBpsToKbps(kBps(13));

/** 2,097,151 KB/s, the most that VCL can set: the bytes/s have to fit into 32 bits with a sign. */
const VCL_CEILING_KBPS = kBpsToKbps(kBps(2_097_151));

/** The pace after VCL's rounding up to a multiple of 1,024 bytes/s. */
const inSteps = (pace_kbps: number): number => kBpsToKbps(kBps(Math.ceil(kbpsToKBps(kbps(pace_kbps)))));

/** The headers that the player reads behind VCL: the pace is a multiple of 1,024 bytes/s, internal headers are removed. */
function expectReceipt(given: PaceCase, answer: Answer, floor = kbps(0)): void {
  expectAnswer(given, answer);
  for (const name of Object.values(INTERNAL_HEADERS)) expect(answer.header(name)).toBeNull();
  for (const name of RECEIPT_HEADERS) expect(answer.header(name) ?? '').not.toContain('null');
  const { pace_kbps, reason } = parseReceipt(answer.header);
  if (given.pace_kbps === null) {
    expect({ pace: pace_kbps ?? null, reason: reason ?? null }).toEqual({ pace: null, reason: given.reason });
    return;
  }
  const step = inSteps(given.pace_kbps);
  expect(pace_kbps).toBeCloseTo(Math.min(Math.max(step, floor), VCL_CEILING_KBPS), 3);
  expect(reason).toBe(step < floor ? 'floor' : step > VCL_CEILING_KBPS ? 'ceiling' : given.reason);
}

const expectVerdict = (given: PaceCase, headers: Headers): void =>
  expect(verdictOf(takeVerdict(headers))).toEqual(verdictIn(given));

const verdictOf = (verdict: RequestVerdict | null) => [
  [verdict?.pace ?? null, verdict?.reason ?? null],
  [verdict?.connectionPace ?? null, verdict?.connectionReason ?? null],
];
const verdictIn = ({ pace_kbps, reason, connection }: PaceCase) => [
  [pace_kbps, reason],
  [connection.pace_kbps, connection.reason],
];

const MEDIA = 'media';

/** What an edge behind the one that is tested may have written, and a cache between them kept. */
const INNER_RECEIPT = [
  'cdn;desc="HIT, pace", pace;desc="floor",tcp-rtt;dur=950, tcp-minrtt;dur=900,\ttcp-sent;desc="1"',
  'Pace;desc="ceiling", tcp-retransmitted;desc="1", tcp-cwnd;desc="1", tcp-connection;desc="inner", tcp-cc;desc="inner"',
];

function serveOrigin(message: IncomingMessage, response: import('node:http').ServerResponse): void {
  const [path = ''] = (message.url ?? '').split('?');
  const fail = (status: number, headers: Record<string, string> = {}) =>
    response.writeHead(status, { 'Content-Length': 0, ...headers }).end();
  if (path === '/overloaded.m4s') return void fail(503);
  if (path === '/moved.m4s') return void fail(302, { Location: '/v/1.m4s' });
  if (path === '/packed.m4s') {
    const packed = gzipSync(MEDIA);
    response.writeHead(200, { 'Content-Encoding': 'gzip', 'Content-Length': packed.length });
    return void response.end(message.method === 'HEAD' ? undefined : packed);
  }
  // Unasked: a client that has sent no Expect must skip it (RFC 9110 §15.2).
  if (path === '/continue.m4s') response.writeContinue();
  if (path === '/token.m4s') {
    if (message.headers.authorization !== 'Bearer right') return void fail(401);
    response.setHeader('Cache-Control', 'public, max-age=60');
  }
  if (path === '/elsewhere.m4s') return void fail(302, { Location: 'http://192.0.2.1/' });
  if (
    !['/v/', '/forged.m4s', '/receipt.m4s', '/negotiated.m4s', '/token.m4s', '/continue.m4s'].some((known) =>
      path.startsWith(known),
    ) ||
    path.includes('etc')
  ) {
    return void fail(404);
  }
  if (path === '/forged.m4s') {
    for (const name of Object.values(INTERNAL_HEADERS)) response.setHeader(name, '1');
  }
  if (path === '/receipt.m4s') {
    response.setHeader('CMSD-Dynamic', [
      '"cdn";etp=1;io.github.dashjs-sammy-pace=1',
      '"other";etp=2;rtt=900',
    ]);
    response.setHeader('Server-Timing', INNER_RECEIPT);
  }
  if (path === '/negotiated.m4s') response.setHeader('Vary', 'Accept');
  response.setHeader('ETag', '"tag"');
  if (message.headers['if-none-match'] === '"tag"') return void response.writeHead(304).end();
  const range = selectRange(message.headers.range ?? null, MEDIA.length);
  if (range === 'unsatisfiable') return void fail(416, { 'Content-Range': `bytes */${MEDIA.length}` });
  const { first, last } = range === 'whole' ? { first: 0, last: MEDIA.length - 1 } : range;
  const part = MEDIA.slice(first, last + 1);
  response.writeHead(range === 'whole' ? 200 : 206, {
    'Content-Type': path.endsWith('.mpd') ? 'application/dash+xml' : 'video/mp4',
    'Content-Length': part.length,
    ...(range !== 'whole' && { 'Content-Range': `bytes ${first}-${last}/${MEDIA.length}` }),
  });
  response.end(message.method === 'HEAD' ? undefined : part);
}

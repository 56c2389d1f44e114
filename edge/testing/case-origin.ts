import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll } from 'vitest';
import { selectRange } from '../byte-range.ts';
import type { StoreValues } from '../compute/config.ts';
import { INTERNAL_HEADERS } from '../internal-headers.ts';
import type { PaceCase } from './pace-cases.ts';

let origin: Server;
let requests: { target: string; headers: Record<string, unknown> }[] = [];

/** The requests that the origin has received since `forgetRequests`. */
export const requestsSeen = (): typeof requests => requests;
export const forgetRequests = (): void => void (requests = []);

/** Starts the origin of the cases before the tests of a file, and calls `started` when it listens. */
export function useCaseOrigin(started: () => Promise<void> = () => Promise.resolve()): void {
  beforeAll(async () => {
    origin = createServer((message, response) => {
      requests.push({ target: message.url ?? '', headers: message.headers });
      serveOrigin(message, response);
    });
    origin.listen(0);
    await once(origin, 'listening');
    await started();
  }, 240_000);
  afterAll(() => {
    origin.closeAllConnections();
    origin.close();
  });
}

const port = (): number => (origin.address() as AddressInfo).port;
export const originUrl = (): string => `http://127.0.0.1:${port()}`;
/** A second origin: the same server under another host name. */
const other = (): string => `localhost:${port()}`;

export const createConfig = ({ config }: PaceCase): StoreValues => ({
  ...config,
  ...(config.allowed_origins && { allowed_origins: config.allowed_origins.replace('{other}', other()) }),
});
export const createStore = (config: StoreValues) => (key: keyof StoreValues) =>
  config[key]?.replace('{other}', other()) ?? null;
export const createTarget = ({ target }: PaceCase): string => target.replace('{other}', other());

const MEDIA = 'media';

/** A receipt of another edge between the tested edge and the origin, possibly from a cache. */
const INNER_RECEIPT = [
  'cdn;desc="HIT, pace", pace;desc="floor",tcp-rtt;dur=950, tcp-minrtt;dur=900,\ttcp-sent;desc="1"',
  'Pace;desc="ceiling", tcp-retransmitted;desc="1", tcp-cwnd;desc="1", tcp-connection;desc="inner", tcp-cc;desc="inner"',
];

function serveOrigin(message: IncomingMessage, response: ServerResponse): void {
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
  // Send an unrequested 100 Continue, which a client must ignore (RFC 9110 §15.2).
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

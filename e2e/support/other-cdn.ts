import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ensureTestContent } from '../../media/sources/footage.ts';

/**
 * A CDN's reaction to a request: a status to refuse it with, 'silence' to never answer, or undefined to send the
 * content.
 */
export type Refusal = (request: IncomingMessage) => number | 'silence' | undefined;

export interface OtherCdn {
  readonly url: string;
  /** All requests for media segments in order. `PREFLIGHT` precedes the URLs of CORS preflights. */
  readonly requests: string[];
  refuses: Refusal;
  /** The rate of each response. */
  rate_kbps: number;
  close(): Promise<void>;
}

/** Refuses requests with CMCD in the query, because these request a pace. */
export const carriesCmcd: Refusal = ({ url }) => (url?.includes('CMCD=') ? 403 : undefined);
export const isPreflight: Refusal = ({ method }) => (method === 'OPTIONS' ? 403 : undefined);
export const isPreflightInVain: Refusal = ({ method }) => (method === 'OPTIONS' ? 'silence' : undefined);

const TICK_MS = 20;

async function send(response: ServerResponse, content: Buffer, rate_kbps: number): Promise<void> {
  const headers = { 'Access-Control-Allow-Origin': '*', 'Cache-Control': 'max-age=3600' };
  response.writeHead(200, { ...headers, 'Content-Length': content.length });
  const part = Math.min(content.length, (rate_kbps * TICK_MS) / 8);
  for (let sent = 0; sent < content.length; sent += part) {
    response.write(content.subarray(sent, sent + part));
    // Do not catch up after a late timer, because the response would then be faster than this rate for a while.
    await sleep((part * 8) / rate_kbps);
  }
  response.end();
}

/** Starts a server on another origin that serves the test video without paces and receipts, like most CDNs. */
export async function startOtherCdn(): Promise<OtherCdn> {
  const { directory } = await ensureTestContent();
  const requests: string[] = [];
  const state = { refuses: (() => undefined) as Refusal, rate_kbps: Infinity };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://cdn');
    if (pathname.endsWith('.m4s'))
      requests.push((request.method === 'OPTIONS' ? 'PREFLIGHT ' : '') + (request.url ?? ''));
    const refusal = state.refuses(request);
    if (refusal === 'silence') return;
    if (typeof refusal === 'number') {
      // Send no CORS headers, like a firewall.
      response.writeHead(refusal).end('no\n');
      return;
    }
    readFile(join(directory, normalize(pathname)))
      .then((content) => send(response, content, state.rate_kbps))
      .catch(() => response.writeHead(404, { 'Access-Control-Allow-Origin': '*' }).end());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return Object.assign(state, {
    url: `http://127.0.0.1:${port}`,
    requests,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => {
          resolve();
        });
        server.closeAllConnections();
      }),
  });
}

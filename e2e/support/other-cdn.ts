import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join, normalize } from 'node:path';
import { ensureTestContent } from '../../media/sources/footage.ts';

/** What a CDN does with a request instead of sending the content: a status, or no answer at all. */
export type Refusal = (request: IncomingMessage) => number | 'silence' | undefined;

export interface OtherCdn {
  readonly url: string;
  /** All requests for media segments, in order; `PREFLIGHT` before those that were only a question whether one may be sent. */
  readonly requests: string[];
  /** A part of the requests that is refused. */
  refuses: Refusal;
  close(): Promise<void>;
}

/** Whether a request has CMCD in its query, as one that asks for a pace does. */
export const carriesCmcd: Refusal = ({ url }) => (url?.includes('CMCD=') ? 403 : undefined);
export const isPreflight: Refusal = ({ method }) => (method === 'OPTIONS' ? 403 : undefined);
export const isPreflightInVain: Refusal = ({ method }) => (method === 'OPTIONS' ? 'silence' : undefined);

/** Starts a server of the test film at another origin that paces nothing and sends no receipts, as most CDNs. */
export async function startOtherCdn(): Promise<OtherCdn> {
  const { directory } = await ensureTestContent();
  const requests: string[] = [];
  const state = { refuses: (() => undefined) as Refusal };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://cdn');
    if (pathname.endsWith('.m4s'))
      requests.push((request.method === 'OPTIONS' ? 'PREFLIGHT ' : '') + (request.url ?? ''));
    const refusal = state.refuses(request);
    if (refusal === 'silence') return;
    if (typeof refusal === 'number') {
      // A firewall knows nothing of CORS.
      response.writeHead(refusal).end('no\n');
      return;
    }
    readFile(join(directory, normalize(pathname)))
      .then((content) => response.writeHead(200, { 'Access-Control-Allow-Origin': '*' }).end(content))
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

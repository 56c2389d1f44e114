import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { milliseconds } from '../../../src/units.ts';
import { lineOf } from '../../../system/line-of.ts';
import { Intake } from '../connections/intake.ts';
import { listen } from '../listen.ts';

/** The most connections; a further one takes the place of the oldest, so that who keeps some open locks nobody out. */
const MOST_CONNECTIONS = 32;

/** The time for a request to arrive, which has a line and some headers. */
const REQUEST_MS = milliseconds(5000);

export interface OperatorServer {
  readonly url: string;
  close(): void;
}

/**
 * A server for the operator's tools, on a port of its own, so that its paths hide no content and viewers cannot read
 * them. `/healthz` answers 200 while the edge takes requests, and 503 from the moment it drains or while none of its
 * processes serves; `/metrics` is for Prometheus. It shares the event loop with the viewers' responses, so a connection
 * has one answer, and nothing that comes after the request is parsed.
 */
export async function startOperatorServer(options: {
  readonly host: string;
  readonly port: number;
  /** The reason why no requests are taken; null while they are. */
  readonly lack: () => string | null;
  readonly metrics: () => Promise<string>;
}): Promise<OperatorServer> {
  const { host, port, lack, metrics } = options;
  const limits = {
    headersTimeout: REQUEST_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: 1000,
  };
  const answered = new WeakSet<Socket>();
  const server = createServer(limits, (request, response) => {
    // Requests that came in one piece with the first are parsed all the same.
    if (answered.has(request.socket)) return;
    answered.add(request.socket);
    const [path] = (request.url ?? '').split('?', 1);
    response.setHeader('Connection', 'close');
    response.setHeader('Content-Type', 'text/plain; version=0.0.4; charset=utf-8');
    if (path === '/metrics') {
      metrics().then(
        (text) => response.end(text),
        (error: unknown) => response.writeHead(500).end(`${lineOf(error)}\n`),
      );
    } else if (path !== '/healthz') response.writeHead(404).end('there are /healthz and /metrics\n');
    else {
      const lacking = lack();
      response.writeHead(lacking === null ? 200 : 503).end(`${lacking ?? 'ok'}\n`);
    }
  });
  const open = new Set<Socket>();
  server.on('connection', (socket) => {
    new Intake(socket, () => !answered.has(socket));
    open.add(socket);
    socket.once('close', () => open.delete(socket));
    const [oldest] = open;
    if (open.size > MOST_CONNECTIONS) oldest?.resetAndDestroy();
  });
  const address = await listen(server, { port, host });
  return {
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

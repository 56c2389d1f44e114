import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { milliseconds } from '../../../src/units.ts';
import { errorLine } from '../../../system/error-line.ts';
import { Intake } from '../connections/intake.ts';
import { listen } from '../listen.ts';

/**
 * The maximum number of connections. A further connection replaces the oldest, so that open connections cannot lock the
 * operator out.
 */
const MOST_CONNECTIONS = 32;

/** The timeout for receiving a request. */
const REQUEST_MS = milliseconds(5000);

export interface OperatorServer {
  readonly url: string;
  close(): void;
}

/**
 * Starts a server for the operator's tools. It has its own port, so that its paths hide no content and viewers have no
 * access. `/healthz` responds 200 while the edge accepts requests, and 503 when the edge drains or no process serves.
 * `/metrics` is for Prometheus. The server shares the event loop with the viewers' responses, so a connection gets only
 * a single response, and further data is not parsed.
 */
export async function startOperatorServer(options: {
  readonly host: string;
  readonly port: number;
  /** Returns why the edge accepts no requests; null if it accepts requests. */
  readonly getDownReason: () => string | null;
  readonly metrics: () => Promise<string>;
}): Promise<OperatorServer> {
  const { host, port, getDownReason, metrics } = options;
  const limits = {
    headersTimeout: REQUEST_MS,
    requestTimeout: REQUEST_MS,
    connectionsCheckingInterval: 1000,
  };
  const answered = new WeakSet<Socket>();
  const server = createServer(limits, (request, response) => {
    // Node still parses requests that arrived in the same chunk as the first request. Do not answer the later requests.
    if (answered.has(request.socket)) return;
    answered.add(request.socket);
    const [path] = (request.url ?? '').split('?', 1);
    response.setHeader('Connection', 'close');
    response.setHeader('Content-Type', 'text/plain; version=0.0.4; charset=utf-8');
    if (path === '/metrics') {
      metrics().then(
        (text) => response.end(text),
        (error: unknown) => response.writeHead(500).end(`${errorLine(error)}\n`),
      );
    } else if (path !== '/healthz') response.writeHead(404).end('there are /healthz and /metrics\n');
    else {
      const downReason = getDownReason();
      response.writeHead(downReason === null ? 200 : 503).end(`${downReason ?? 'ok'}\n`);
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

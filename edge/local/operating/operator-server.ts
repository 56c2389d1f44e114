import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { listenError } from '../start-errors.ts';

export interface OperatorServer {
  readonly url: string;
  close(): void;
}

/**
 * A server for the operator's tools, on a port of its own, so that its paths hide no content and viewers cannot read
 * them. `/healthz` answers 200 while the edge takes requests, and 503 from the moment it drains or while none of its
 * processes serves; `/metrics` is for Prometheus.
 */
export async function startOperatorServer(options: {
  readonly host: string;
  readonly port: number;
  /** The reason why no requests are taken; null while they are. */
  readonly lack: () => string | null;
  readonly metrics: () => string;
}): Promise<OperatorServer> {
  const { host, port, lack, metrics } = options;
  const server = createServer((request, response) => {
    const [path] = (request.url ?? '').split('?', 1);
    response.setHeader('Content-Type', 'text/plain; version=0.0.4; charset=utf-8');
    if (path === '/metrics') response.end(metrics());
    else if (path !== '/healthz') response.writeHead(404).end('there are /healthz and /metrics\n');
    else {
      const lacking = lack();
      response.writeHead(lacking === null ? 200 : 503).end(`${lacking ?? 'ok'}\n`);
    }
  });
  server.listen(port, host);
  try {
    await once(server, 'listening');
  } catch (error) {
    throw listenError(error, host, port);
  }
  const address = server.address() as AddressInfo;
  return {
    url: `http://${address.family === 'IPv6' ? `[${address.address}]` : address.address}:${address.port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

import { createServer } from 'node:http';
import type { Socket } from 'node:net';
import { closeServer, listen } from '../../../ground/programs/listen.ts';
import { RESPONSE_BYTES } from './response-bytes.ts';

const BODY = Buffer.alloc(RESPONSE_BYTES);

/** Starts the neighbor's server, with a congestion control for its connections. */
export async function startHttpServer(
  congestionControl: string,
): Promise<{ readonly port: number; close(): Promise<void> }> {
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    if (request.url === '/hello') response.end();
    else response.setHeader('content-length', BODY.length).end(BODY);
  });
  // The connection is opened before playback, and playback may take long to begin.
  server.keepAliveTimeout = 0;
  server.on('connection', (socket) => sockets.add(socket));
  const close = () => closeServer(server, sockets);
  try {
    return { port: await listen(server, congestionControl), close };
  } catch (error) {
    await close();
    throw error;
  }
}

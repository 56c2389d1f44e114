import { createServer } from 'node:http';
import { closeTogether } from '../../../../system/close-together.ts';
import { listen } from '../../../ground/programs/listen.ts';
import { RESPONSE_BYTES } from './response-bytes.ts';

const BODY = Buffer.alloc(RESPONSE_BYTES);

/** Starts the neighbor's server, with a congestion control for its connections. */
export const startHttpServer = (
  congestionControl: string,
): Promise<{ readonly port: number; close(): Promise<void> }> =>
  closeTogether(async (onClose) => {
    const server = createServer((request, response) => {
      if (request.url === '/hello') response.end();
      else response.setHeader('content-length', BODY.length).end(BODY);
    });
    // The connection is opened before playback, and playback may take long to begin.
    server.keepAliveTimeout = 0;
    onClose(() => {
      server.close();
      server.closeAllConnections();
    });
    return { port: await listen(server, congestionControl) };
  });

import { connect, createServer, type Socket } from 'node:net';
import { listen, urlHost } from '../../edge/local/listen.ts';

export interface Relay {
  readonly port: number;
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Forwards every connection to another address, byte by byte: the path from an address of this machine into the network
 * namespace behind the bottleneck. When one side ends its connection, the relay ends the other side.
 */
export async function startRelay(
  { port, host }: { readonly port: number; readonly host: string },
  to: { readonly port: number; readonly host: string },
): Promise<Relay> {
  const open = new Set<Socket>();
  const server = createServer({ noDelay: true, allowHalfOpen: true }, (near) => {
    const far = connect({ ...to, noDelay: true, allowHalfOpen: true });
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket);
      socket.pipe(other);
      // 'close' follows and handles the end of the connection, so there is nothing to do here.
      socket.on('error', () => undefined);
      socket.once('close', () => {
        open.delete(socket);
        if (!socket.readableEnded || !socket.writableFinished) other.destroy();
      });
    }
  });
  const address = await listen(server, { port, host });
  return {
    port: address.port,
    url: `http://${urlHost(address)}:${address.port}`,
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}

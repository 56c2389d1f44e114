import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface DelayingRelay {
  readonly url: string;
  /** Number of CORS preflight requests (OPTIONS) so far. */
  readonly preflights: number;
  close(): Promise<void>;
}

/**
 * A TCP relay on loopback that delays bytes by half a round trip in each direction. Benchmarks use it without root,
 * which an emulated link would need. The order and rate of the bytes do not change. The first bytes of a connection are
 * delayed by another round trip, like TCP's handshake would delay them.
 */
export async function startDelayingRelay(port: number, rtt_ms: number): Promise<DelayingRelay> {
  const sockets = new Set<Socket>();
  let preflights = 0;
  const server = createServer((client) => {
    const upstream = connect(port, '127.0.0.1');
    client.on('data', (chunk) => {
      if (chunk.toString('latin1').startsWith('OPTIONS ')) preflights += 1;
    });
    delayed(client, upstream, rtt_ms / 2, performance.now() + rtt_ms);
    delayed(upstream, client, rtt_ms / 2, 0);
    for (const socket of [client, upstream]) {
      sockets.add(socket.setNoDelay());
      socket.on('error', () => socket.destroy());
      socket.on('close', () => sockets.delete(socket));
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    get preflights() {
      return preflights;
    },
    async close() {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}

/** Copies bytes from `from` to `to` with a delay of `delay_ms`, and not before `earliest` plus `delay_ms`. */
function delayed(from: Socket, to: Socket, delay_ms: number, earliest: number): void {
  // Each piece waits for the previous one. Timers of equal length fire in order, but the timers of the first bytes are
  // longer.
  let last = Promise.resolve();
  const later = (action: () => void) => {
    const due = Math.max(performance.now(), earliest) + delay_ms;
    const before = last;
    last = new Promise<void>((resolve) =>
      setTimeout(() => {
        void before.then(() => {
          action();
          resolve();
        });
      }, due - performance.now()),
    );
  };
  from.on('data', (chunk) => later(() => to.write(chunk)));
  from.on('close', () => later(() => to.destroy()));
}

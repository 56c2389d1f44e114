import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

export interface DelayingRelay {
  readonly url: string;
  /** Requests that browsers sent to ask whether they may send one. */
  readonly preflights: number;
  close(): Promise<void>;
}

/**
 * A TCP relay on loopback that is half a round trip away in either direction, for benchmarks where an emulated
 * link needs root. Bytes keep their order and are not slowed down otherwise. A connection's first bytes come a
 * whole round trip later, as they would after TCP's handshake.
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

/** Passes on what `from` hears, each piece `delay_ms` later and none before `earliest` and the delay. */
function delayed(from: Socket, to: Socket, delay_ms: number, earliest: number): void {
  // Timers of the same length fire in order; those of the first bytes are longer, so each waits for the one before.
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

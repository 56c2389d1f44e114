import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * The range of candidate ports. It is below Linux's ephemeral ports (32768 to 60999), because another process might get
 * such a port in the seconds before the program listens.
 */
const [FIRST, AFTER_LAST] = [12_000, 32_768];

/** Ports returned so far. No port is returned twice, because a program may start to listen much later. */
const given = new Set<number>();

/** Returns a free loopback port, for a program that needs a port number at its start. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = randomInt(FIRST, AFTER_LAST);
    if (given.has(port)) continue;
    given.add(port);
    const server = createServer().listen(port, '127.0.0.1');
    try {
      await once(server, 'listening');
    } catch {
      continue;
    }
    server.close();
    await once(server, 'close');
    return port;
  }
}

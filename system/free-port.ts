import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that Linux gives connections and who asks for any (32768 to 60999): one of those might be taken before the
 * program listens, which may be seconds.
 */
const [FIRST, AFTER_LAST] = [12_000, 32_768];

/** A program may listen on a port only long after it got it, so none is given twice. */
const given = new Set<number>();

/** A port of loopback that was free a moment ago, for a program that cannot choose one itself. */
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

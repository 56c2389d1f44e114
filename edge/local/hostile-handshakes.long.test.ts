import { createHook } from 'node:async_hooks';
import { once } from 'node:events';
import { readdirSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { clientHello } from '../testing/client-hello.ts';
import { selfSigned } from './self-signed.ts';
import { startEdge, type Edge } from './server.ts';

const ATTACKERS = 200;
/** The maximum number of connections per address. */
const MOST = 150;
const descriptors = () => readdirSync('/proc/self/fd').length;

let edge: Edge;
let hello: Buffer;
let attackers: Socket[];
beforeEach(async () => {
  hello = await clientHello();
  attackers = [];
  edge = await startEdge({
    handler: () => Promise.resolve(new Response()),
    tls: await selfSigned(),
    maxConnectionsPerAddress: MOST,
  });
});
afterEach(async () => {
  for (const attacker of attackers) attacker.destroy();
  await edge.close();
});

/** Connects from `localAddress`, and sends `sent`. */
function attack(localAddress: string, sent: Buffer): Socket {
  const attacker = connect({ port: edge.port, host: '127.0.0.1', localAddress });
  attacker.on('error', () => undefined);
  attacker.write(sent);
  attackers.push(attacker);
  return attacker;
}

/** Resolves when a viewer's handshake is complete. */
async function view(): Promise<void> {
  const viewer = connectTls({ port: edge.port, host: '127.0.0.1', rejectUnauthorized: false });
  await once(viewer, 'secureConnect');
  viewer.destroy();
}

// Only on Linux does the loopback device have all of 127.0.0.0/8.
const hasAddresses = process.platform === 'linux';

it('begins one TLS handshake per turn of the event loop, and none for refused connections', async () => {
  let turn = 0;
  let counting = setImmediate(function count() {
    turn += 1;
    counting = setImmediate(count);
  });
  // The clients use plain TCP, so every TLSWRAP is a handshake of the edge.
  const begun: number[] = [];
  const hook = createHook({ init: (_, type) => type === 'TLSWRAP' && begun.push(turn) }).enable();
  for (let n = 0; n < ATTACKERS; n++) attack('127.0.0.1', hello);
  const come = () => edge.stats.connections + edge.stats.refusedConnections;
  await expect.poll(come, { timeout: 20_000 }).toBe(ATTACKERS);
  hook.disable();
  clearImmediate(counting);
  expect(edge.stats.refusedConnections).toBe(ATTACKERS - MOST);
  expect(begun).toHaveLength(MOST);
  expect(new Set(begun).size).toBe(MOST);
}, 40_000);

it.skipIf(!hasAddresses)(
  'handshakes that never finish keep no viewer waiting, and time out',
  async () => {
    const before = descriptors();
    const half = hello.subarray(0, hello.length / 2);
    for (let n = 0; n < ATTACKERS; n++) {
      const sent = [Buffer.alloc(0), half, hello][n % 3] ?? hello;
      const attacker = attack(`127.0.0.${9 + (n % 4)}`, sent).resume();
      // A client that sends a byte now and then gets no more time.
      if (sent === half) {
        let at = half.length;
        const drip = setInterval(() => attacker.write(hello.subarray(at, ++at)), 1000).unref();
        attacker.once('close', () => clearInterval(drip));
      }
    }
    await expect.poll(() => edge.stats.connections, { timeout: 10_000 }).toBe(ATTACKERS);
    await view();
    expect(edge.stats.connections).toBeGreaterThanOrEqual(ATTACKERS);
    await expect.poll(() => edge.stats.connections, { timeout: 40_000 }).toBe(0);
    await expect.poll(descriptors, { timeout: 10_000 }).toBeLessThanOrEqual(before);
  },
  60_000,
);

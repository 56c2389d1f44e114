import { once } from 'node:events';
import { Agent, request, type IncomingMessage } from 'node:http';
import { afterEach, expect, it } from 'vitest';
import { startDelayingRelay } from '../../../bench/delaying-relay.ts';
import { CHANGE_KEY, CHANGE_PATH, PLUGIN_KEY } from '../../../src/wire/rtp.ts';
import { createHandler } from '../../handler.ts';
import { paceLimits } from '../../policy.ts';
import { startEdge } from '../server.ts';
import { PaceChanges } from './pace-changes.ts';
import { takeChanges } from './take-changes.ts';

const [SECRET, OTHER] = ['0123456789abcdef'.repeat(2), 'f'.repeat(32)];
/** Much longer than a busy machine delays a process. */
const RTT_MS = 800;
/**
 * A measured interval, and the bytes that arrive in it at 40 Mbit/s, the changed pace. At 8 Mbit/s, the initial pace,
 * 200 kB and at most two loopback packets of 64 kB arrive.
 */
const [WINDOW_MS, WINDOW_BYTES] = [200, 1_000_000];

const closing: (() => unknown)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).reverse()) await close();
});

/** Starts an edge behind a relay that adds a round-trip time of RTT_MS. Returns a function that sends requests. */
async function distantEdge() {
  const changes = new PaceChanges();
  const limits = paceLimits({});
  const handler = createHandler({
    origin: () => Promise.resolve(new Response(new Uint8Array(3_000_000))),
    limits,
  });
  const edge = await startEdge({
    handler: takeChanges(handler, { limits: () => limits, apply: (change) => void changes.apply(change) }),
    changes,
  });
  closing.push(() => edge.close());
  const relay = await startDelayingRelay(edge.port, RTT_MS);
  closing.push(() => relay.close());
  /** Sends a request over a connection of `agent`. Resolves when the response begins. */
  return async (agent: Agent, method: string, path: string, rtp: number, secret: string) => {
    const keys = [PLUGIN_KEY, `rtp=${rtp}`, `${CHANGE_KEY}="${secret}"`].join(',');
    const url = `${relay.url}${path}?CMCD=${encodeURIComponent(keys)}`;
    const asked = request(url, { method, agent }).end();
    const [response] = (await once(asked, 'response')) as [IncomingMessage];
    return response;
  };
}

const openAgent = (): Agent => {
  const agent = new Agent({ keepAlive: true });
  closing.push(() => agent.destroy());
  return agent;
};

/** Resolves to the time at which a body begins to arrive at 80% of 40 Mbit/s or more, for at least WINDOW_MS. */
async function whenFaster(response: IncomingMessage, since_ms: number): Promise<number> {
  const arrivals: { readonly at_ms: number; readonly total: number }[] = [];
  let total = 0;
  response.on('data', ({ length }: Buffer) => {
    arrivals.push({ at_ms: performance.now(), total: (total += length) });
  });
  await once(response, 'end');
  const later = arrivals.filter(({ at_ms }) => at_ms > since_ms);
  const begins = later.find((from) =>
    later.some((to) => to.at_ms - from.at_ms <= WINDOW_MS && to.total - from.total >= 0.8 * WINDOW_BYTES),
  );
  return begins?.at_ms ?? Infinity;
}

// Retried if the machine is so busy that one round trip cannot be distinguished from two.
it.skipIf(process.platform !== 'linux')(
  'takes effect at the client within two round trips on an open connection',
  { retry: 2 },
  async () => {
    const ask = await distantEdge();
    const [video, audio] = [openAgent(), openAgent()];
    // Use a second connection, as a player does for audio.
    const [response] = await Promise.all([
      ask(video, 'GET', '/1.m4s', 8000, SECRET),
      ask(audio, 'POST', CHANGE_PATH, 8000, OTHER).then((answer) => once(answer.resume(), 'end')),
    ]);
    const asked_ms = performance.now();
    const [faster_ms] = await Promise.all([
      whenFaster(response, asked_ms),
      ask(audio, 'POST', CHANGE_PATH, 40_000, SECRET).then((answer) => answer.resume()),
    ]);
    expect(faster_ms - asked_ms).toBeGreaterThan(0.9 * RTT_MS);
    expect(faster_ms - asked_ms).toBeLessThan(2 * RTT_MS);
  },
);

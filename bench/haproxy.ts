import { once } from 'node:events';
import { Agent, createServer, get, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { createHandler } from '../edge/handler.ts';
import { fetchAsSent } from '../edge/local/fetch-as-sent.ts';
import { startEdge } from '../edge/local/server.ts';
import { paceLimits } from '../edge/policy.ts';
import { urlOrigin } from '../edge/url-origin.ts';
import { ensureHaproxy, startHaproxy } from '../edge/haproxy/program.ts';
import { freePort } from '../system/free-port.ts';

/**
 * How exactly HAProxy's `filter bwlim-out` paces beside the kernel (the Node edge), on loopback: goodput over rtp, and the most
 * bytes in any 10 ms as a multiple of what the pace allows then.
 */
const RATES_KBPS = [1000, 5000, 20_000, 50_000];
const SECONDS = 3;
const WINDOW_MS = 10;

interface Arrival {
  readonly at: number;
  readonly bytes: number;
}

async function arrivals(url: string, agent: Agent): Promise<Arrival[]> {
  const [response] = (await once(get(url, { agent }), 'response')) as [IncomingMessage];
  const list: Arrival[] = [];
  for await (const chunk of response) list.push({ at: performance.now(), bytes: (chunk as Buffer).length });
  return list;
}

const total = (list: readonly Arrival[]): number => list.reduce((sum, { bytes }) => sum + bytes, 0);

/** Of what came after the first burst. */
function describe(list: readonly Arrival[], rtp: number): string {
  const [first = { at: 0, bytes: 0 }, ...rest] = list;
  const time = (list.at(-1)?.at ?? 0) - first.at;
  const goodput = (total(rest) * 8) / time;
  const most = Math.max(
    ...rest.map(({ at }) => total(rest.filter((each) => each.at >= at && each.at < at + WINDOW_MS))),
  );
  const allowed = (rtp * WINDOW_MS) / 8;
  return `${(goodput / rtp).toFixed(3)} of the pace, most in ${WINDOW_MS} ms ${(most / allowed).toFixed(1)} times the pace`;
}

async function measure(name: string, url: string): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  await arrivals(`${url}/100000`, agent);
  for (const rtp of RATES_KBPS) {
    const bytes = rtp * 125 * SECONDS;
    console.log(
      `${name} rtp=${rtp}: ${describe(await arrivals(`${url}/${bytes}?CMCD=rtp%3D${rtp}`, agent), rtp)}`,
    );
  }
  console.log(
    `${name} without rtp: ${((total(await arrivals(`${url}/20000000`, agent)) * 8) / 1e6).toFixed(0)} Mbit came`,
  );
  agent.destroy();
}

const origin = createServer((message, response) =>
  response.end(Buffer.alloc(Number.parseInt(message.url?.slice(1) ?? '0', 10))),
);
await once(origin.listen(0, '127.0.0.1'), 'listening');
const { port } = origin.address() as AddressInfo;

const command = await ensureHaproxy(({ task }) => console.error(task));
const listening = await freePort();
const haproxy = startHaproxy(command, listening, `127.0.0.1:${port}`);
const edge = await startEdge({
  handler: createHandler({
    origin: urlOrigin(`http://127.0.0.1:${port}`, { fetch: fetchAsSent }),
    limits: paceLimits(),
  }),
});
try {
  await sleep(2000);
  await measure('HAProxy', `http://127.0.0.1:${listening}`);
  await measure('Node edge', edge.url);
} finally {
  haproxy.kill();
  await edge.close();
  origin.close();
  origin.closeAllConnections();
}

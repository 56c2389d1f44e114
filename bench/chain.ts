import { Agent } from 'node:http';
import { fileURLToPath } from 'node:url';
import { median } from '../src/median.ts';
import { kbps, type Kbps } from '../src/units.ts';
import type { PacingAccuracy } from './pacing.ts';
import { missingChainReason, startChain } from '../edge/chain.ts';
import { ensureWasm } from '../edge/compute/build.ts';
import { startViceroy } from '../edge/compute/viceroy.ts';
import { timeDecisions, type DecisionTime } from '../edge/compute/decision-time.ts';
import { createHandler } from '../edge/handler.ts';
import { startEdge, type Edge } from '../edge/local/server.ts';
import { timedGet } from '../edge/testing/timed-get.ts';
import { paceLimits } from '../edge/policy.ts';
import { fetchAsSent } from '../edge/local/fetch-as-sent.ts';
import { urlOrigin } from '../edge/url-origin.ts';
import { startVarnish } from '../edge/vcl/varnish.ts';

const RATES_MBPS = [2, 5, 10, 20, 30, 40, 50];
const OBJECT_BYTES = 4_000_000;

export interface ChainBench {
  /** Goodput over `rtp` through Varnish and Compute, after the first megabyte. The target is 0.93 to 1.03. */
  readonly pacing: readonly PacingAccuracy[];
  /** Time of the edge policy in Node, and in the WebAssembly of the Compute service. */
  readonly decision: { readonly node: DecisionTime; readonly compute: DecisionTime };
  /** Responses of 1,000 bytes over 16 persistent connections; the servers take turns. */
  readonly requests_per_s: Readonly<Record<'varnish' | 'chain' | 'compute' | 'local', number>>;
}

/** Measures the chain in about 90 s. Returns the reason if the chain cannot start on this machine. */
export async function benchChain(): Promise<ChainBench | { readonly missing: string }> {
  const missing = await missingChainReason();
  if (missing !== null) return { missing };
  const origin = await startOrigin();
  try {
    return {
      pacing: await benchPacing(origin),
      decision: { node: timeDecisions(1000), compute: await decisionInCompute(origin) },
      requests_per_s: await benchRequests(origin),
    };
  } finally {
    await origin.close();
  }
}

/** The origin serves 1,000 bytes under `/small`, and 4 MB under every other path. */
const startOrigin = (): Promise<Edge> => {
  const [small, large] = [new Uint8Array(1000), new Uint8Array(OBJECT_BYTES)];
  return startEdge({
    handler: (request) => {
      const body = request.url.includes('/small') ? small : large;
      return Promise.resolve(new Response(body, { headers: { 'Content-Length': String(body.length) } }));
    },
  });
};

async function benchPacing(origin: Edge): Promise<PacingAccuracy[]> {
  const chain = await startChain({ origin: origin.url });
  try {
    return await Promise.all(
      RATES_MBPS.map(async (rate) => {
        const rtp_kbps = kbps(rate * 1000);
        const agent = new Agent();
        const { goodput } = await timedGet(`${chain.url}/1.m4s?CMCD=rtp%3D${rtp_kbps}`, { agent });
        agent.destroy();
        const goodput_kbps: Kbps = goodput ?? kbps(0);
        return { rtp_kbps, goodput_kbps, ratio: goodput_kbps / rtp_kbps };
      }),
    );
  } finally {
    await chain.close();
  }
}

/** Medians over nine requests, each of which starts a fresh instance. */
async function decisionInCompute(origin: Edge): Promise<DecisionTime> {
  const wasm = await ensureWasm(() => undefined, 'bench-service.ts');
  const viceroy = await startViceroy({ origin: origin.url, wasm });
  try {
    const times: DecisionTime[] = [];
    for (let round = 0; round < 9; round++) {
      times.push((await (await fetch(viceroy.url)).json()) as DecisionTime);
    }
    return {
      first_us: median(times.map(({ first_us }) => first_us)) ?? NaN,
      next_us: median(times.map(({ next_us }) => next_us)) ?? NaN,
    };
  } finally {
    await viceroy.close();
  }
}

const CONNECTIONS = 16;
const ROUND_MS = 3000;
const ROUNDS = 3;

/** Compares Varnish in front of the origin, the whole chain, Compute alone, and the local edge in Node. */
async function benchRequests(origin: Edge): Promise<ChainBench['requests_per_s']> {
  const chain = await startChain({ origin: origin.url });
  const varnish = await startVarnish({ backendPort: origin.port });
  const local = await startEdge({
    handler: createHandler({ origin: urlOrigin(origin.url, { fetch: fetchAsSent }), limits: paceLimits() }),
  });
  const urls = { varnish: varnish.url, chain: chain.url, compute: chain.viceroy.url, local: local.url };
  try {
    const rates = Object.entries(urls).map(([name, url]) => ({ name, url, rounds: [] as number[] }));
    for (let round = 0; round <= ROUNDS; round++) {
      for (const { url, rounds } of rates) {
        const rate = await requestsPerSecond(`${url}/small?CMCD=rtp%3D50000`);
        // The first round is a warm-up.
        if (round > 0) rounds.push(rate);
      }
    }
    return Object.fromEntries(
      rates.map(({ name, rounds }) => [name, median(rounds) ?? NaN]),
    ) as ChainBench['requests_per_s'];
  } finally {
    await Promise.all([chain.close(), varnish.close(), local.close()]);
  }
}

async function requestsPerSecond(url: string): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  const began = performance.now();
  let done = 0;
  const client = async (): Promise<void> => {
    while (performance.now() - began < ROUND_MS) {
      const { status } = await timedGet(url, { agent });
      if (status !== 200) throw new Error(`${url} answered ${status} in mid-benchmark`);
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: CONNECTIONS }, client));
  agent.destroy();
  return (done * 1000) / (performance.now() - began);
}

/** The lines that `npm run bench` prints. */
export function chainBenchLines({ pacing, decision, requests_per_s }: ChainBench): string[] {
  const times = ({ first_us, next_us }: DecisionTime) =>
    `${first_us.toFixed(0)} µs the first, ${next_us.toFixed(1)} µs each after`;
  const share = requests_per_s.chain / requests_per_s.varnish;
  return [
    'Goodput over rtp through Varnish and Compute, past the first megabyte (target: 0.93 to 1.03)',
    ...pacing.map(
      ({ rtp_kbps, goodput_kbps, ratio }) =>
        `  ${rtp_kbps / 1000} Mbit/s: ${(goodput_kbps / 1000).toFixed(2)} Mbit/s, ${ratio.toFixed(3)}`,
    ),
    `Policy per request: Node ${times(decision.node)}; Compute (WebAssembly) ${times(decision.compute)}`,
    `Requests/s of 1 kB, ${CONNECTIONS} connections: Varnish alone ${requests_per_s.varnish.toFixed(0)}, ` +
      `chain ${requests_per_s.chain.toFixed(0)} (${(share * 100).toFixed(0)}%), ` +
      `Compute alone ${requests_per_s.compute.toFixed(0)}, local edge ${requests_per_s.local.toFixed(0)}`,
  ];
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const result = await benchChain();
  console.log('missing' in result ? result.missing : chainBenchLines(result).join('\n'));
}

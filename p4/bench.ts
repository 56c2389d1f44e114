/*
 * Measures the CPU cost and the timing accuracy of the P4 switch for `npm run bench`, next to a reference from the same
 * run: for the CPU cost, a forwarder without a program in the same loop; for the departure times, the wake-up times of
 * an idle thread.
 */
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { benchInMemory } from './bench/in-memory.ts';
import type { InMemory } from './bench/in-memory.ts';
import { startCollector } from './collector/collector.ts';
import { startThread } from './start-thread.ts';
import { runBulkFlow } from './switch/live/bulk-flow.ts';
import { missingLiveReason } from './switch/live/missing-live-reason.ts';
import type { LiveStatus } from './switch/live/messages.ts';
import { createNamespace, withNamespaces } from '../system/namespaces/namespaces.ts';
import { startPath } from './switch/live/path.ts';
import type { PathOptions } from './switch/live/path.ts';
import { unaccounted } from './switch/live/conservation.ts';

interface LiveRun {
  readonly rate_bit_s: number;
  readonly goodput_bit_s: number;
  readonly status: LiveStatus;
  /** Wake-up lateness of an idle thread that runs at the same time as the switch, in microseconds. */
  readonly idle: LiveStatus['lateness'];
  /** Frames lost outside the bottleneck's queue. */
  readonly lostElsewhere: number;
  readonly postcards: number;
  readonly postcardsLost: number;
  /** Frames received and copied, minus frames sent, dropped and queued. 0 unless the switch miscounts. */
  readonly unaccounted: number;
}

interface P4Bench {
  readonly inMemory: InMemory;
  /** The runs of the live switch, or the reason why this machine cannot run a live switch. */
  readonly live:
    | string
    | {
        plain: LiveRun;
        program: LiveRun;
        postcards: LiveRun;
        /** Like `plain`, with a delay in the switch. */
        plainDelayed: LiveRun;
        delayed: LiveRun;
        long: LiveRun;
      };
}

const FAST = 100_000_000;
const SLOW = 40_000_000;
const SECONDS = 8;
const LONG_SECONDS = 60;
const WARMUP_S = 1;
/**
 * Bytes of a full frame, and of the TCP payload in this frame: 1514 minus Ethernet 14, IP 20, and TCP with timestamps
 * 32.
 */
const [FRAME, PAYLOAD] = [1514, 1448];
/** Delay of each direction. At 100 Mbit/s and an RTT of 20 ms, the buffer of 200 packets holds 1.2 BDP. */
const DELAY_NS = 10e6;

/** Takes about 2.5 minutes, including one minute for the long run. */
export async function benchP4(): Promise<P4Bench> {
  const inMemory = benchInMemory();
  const missing = missingLiveReason();
  if (missing !== undefined) return { inMemory, live: missing };
  const thread = new URL('bench/plain-loop.ts', import.meta.url);
  const plain = await run({ rate: FAST, seconds: SECONDS, thread });
  const program = await run({ rate: FAST, seconds: SECONDS });
  const postcards = await run({ rate: FAST, seconds: SECONDS, postcards: true });
  const plainDelayed = await run({ rate: FAST, seconds: SECONDS, delay_ns: DELAY_NS, thread });
  const delayed = await run({ rate: FAST, seconds: SECONDS, delay_ns: DELAY_NS, postcards: true });
  const long = await run({ rate: SLOW, seconds: LONG_SECONDS, postcards: true });
  return { inMemory, live: { plain, program, postcards, plainDelayed, delayed, long } };
}

interface RunOptions {
  readonly rate: number;
  readonly seconds: number;
  readonly postcards?: boolean;
  readonly delay_ns?: number;
  readonly thread?: URL;
}

/** Measures one long flow through a path with a buffer of 200 packets. */
async function run({ rate, seconds, postcards = false, delay_ns = 0, thread }: RunOptions): Promise<LiveRun> {
  const id = process.pid.toString(36);
  const [outside, inside] = [createNamespace('outside'), createNamespace('inside')];
  const name = `b${id}`;
  return withNamespaces([outside, inside], 'reno', async () => {
    const collector = await startCollector({ port: 0, onPostcard: () => undefined });
    const options: PathOptions = {
      name,
      outside,
      inside,
      network: '10.213.240.0',
      bottleneck: { rate_bit_s: rate, depth_packets: 200, delay_ns },
      uplink: { delay_ns },
      ...(postcards && { collectorPort: collector.port }),
    };
    const path = await startPath(options, thread);
    try {
      const idleThread = startThread(new URL('bench/idle-loop.ts', import.meta.url));
      const flow = { from: outside, to: inside, address: path.insideAddress, port: 5001 };
      const goodput_bit_s = await runBulkFlow({ ...flow, warmup_s: WARMUP_S, seconds });
      idleThread.postMessage('stop');
      const [idle] = (await once(idleThread, 'message')) as [LiveStatus['lateness']];
      const refusedByInterfaces = interfaceDrops(outside, `${name}o`) + interfaceDrops(inside, `${name}i`);
      const status = await path.stop();
      const { received, lost } = await collector.close();
      return {
        rate_bit_s: rate,
        goodput_bit_s,
        status,
        idle,
        lostElsewhere: refusedByInterfaces + status.ports.reduce((sum, { refused }) => sum + refused, 0),
        postcards: received,
        postcardsLost: lost,
        unaccounted: unaccounted(status),
      };
    } finally {
      await path.stop();
      await collector.close();
    }
  });
}

/** Frames for the switch that the kernel dropped because the interface's queue was full. */
function interfaceDrops(namespace: string, name: string): number {
  const args = ['-n', namespace, '-j', '-s', 'link', 'show', 'dev', name];
  const [link] = JSON.parse(execFileSync('ip', args, { encoding: 'utf8' })) as [
    { stats64: { tx: { dropped: number } } },
  ];
  return link.stats64.tx.dropped;
}

/** Formats the results for printing. The targets in parentheses are the project's own. */
export function p4BenchLines({ inMemory, live }: P4Bench): string[] {
  const { plain_ns, program_ns, postcards_ns } = inMemory;
  const cost = (ns: number): string => `${(ns / 1000).toFixed(2)} µs (${Math.round(1e6 / ns)} kpps)`;
  const lines = [
    `P4 in memory, a packet: plain forwarder ${cost(plain_ns)}, bottleneck.p4 ${cost(program_ns)}, with a postcard each ${cost(postcards_ns)}`,
  ];
  if (typeof live === 'string') return [...lines, `The live P4 switch is skipped: ${live}`];
  const { plain, program, postcards, plainDelayed, delayed, long } = live;
  const share = ({ status: { cpu_s, seconds } }: LiveRun): string =>
    `${((100 * cpu_s) / seconds).toFixed(0)}%`;
  const each = ({ status: { cpu_s, counts } }: LiveRun): string =>
    ((cpu_s * 1e6) / counts.received).toFixed(1);
  const goodput = ({ goodput_bit_s, rate_bit_s }: LiveRun): string =>
    `${(goodput_bit_s / 1e6).toFixed(2)} Mbit/s, ${(goodput_bit_s / ((rate_bit_s * PAYLOAD) / FRAME)).toFixed(4)} of rate x ${PAYLOAD}/${FRAME}`;
  const { lateness } = postcards.status;
  const cores = ({ status: { cpu_s, seconds } }: LiveRun): number => cpu_s / seconds;
  return [
    ...lines,
    `P4 live at 100 Mbit/s, CPU of a core and a packet, the kernel's TCP in the same thread: plain ${share(plain)}, ${each(plain)} µs; bottleneck.p4 ${share(program)}, ${each(program)} µs; with a postcard each ${share(postcards)}, ${each(postcards)} µs (target: at most 50%)`,
    `  lost outside the queue: ${postcards.lostElsewhere} frames, ${postcards.postcardsLost} of ${postcards.postcards + postcards.postcardsLost} postcards (target: 0)`,
    `  departures late by p50 ${lateness.p50} µs, p99 ${lateness.p99} µs (target: under 1000); an idle thread beside it by ${postcards.idle.p50} and ${postcards.idle.p99} µs, so p99 is ${(lateness.p99 / postcards.idle.p99).toFixed(1)} of what the machine does`,
    `  with ${DELAY_NS / 1e6} ms each way in the switch: plain ${share(plainDelayed)}, ${each(plainDelayed)} µs; bottleneck.p4 with a postcard each ${share(delayed)}, ${each(delayed)} µs, ${(cores(delayed) - cores(plainDelayed)).toFixed(2)} cores more (target: at most 0.5); arrivals late by p99 ${delayed.status.lateness.p99} µs (target: at most 1000), ${delayed.postcardsLost} postcards lost`,
    `P4 live at 40 Mbit/s for ${LONG_SECONDS} s: goodput ${goodput(long)} (target: 0.99 to 1.01)`,
    `  in - out - dropped - queued = ${long.unaccounted} of ${long.status.counts.received} frames; ${long.postcards} postcards, ${long.postcardsLost} lost`,
  ];
}

import type { Link } from '../../emulation/network/links/link.ts';
import { measureFlows } from '../../emulation/network/schemes/live/measure-flows.ts';
import type { Scheme } from '../../emulation/network/schemes/scheme.ts';
import { computeStatistics } from '../../emulation/studies/pantheon/flow-statistics.ts';
import { seededRandom } from '../../system/random/seeded-random.ts';
import type { OnProgress } from '../../system/progress.ts';
import { runQuietly } from '../../system/run-quietly.ts';

/** The links of transport/PROTOCOL.md, on which a controller over UDP is compared with itself in virtual time. */
const LINKS_SEED = 9001;
const LINKS = 10;
/** The maximum relative difference between the two throughputs of a link. */
const TOLERANCE = 0.1;
/** The number of links on which the throughputs must agree. */
const LINKS_TO_AGREE = 8;
/**
 * The link's rate in IP packets of 1,480 bytes, which virtual time counts, divided by its rate in frames, which the
 * switch counts: each frame has 14 more bytes, the Ethernet header.
 */
const IP_SHARE = 1480 / 1494;
/** The maximum lateness of the switch, ms. If it is exceeded, the switch did not emulate the requested link. */
const MOST_LATENESS_MS = 3;
const TRIES = 3;

/** The two runs of a link: over UDP and in virtual time. */
export interface Pair {
  readonly link: Link & { readonly rate: { readonly kind: 'constant'; readonly mbps: number } };
  readonly live: Figures;
  readonly virtual: Figures;
  /** The 99th percentile of the switch's lateness in the live run. */
  readonly lateness_p99_ms: number;
}

export interface Figures {
  readonly throughput_mbps: number;
  /** The 95th percentile of the packets' one-way delays. */
  readonly delay_p95_ms: number;
}

/** Draws random links: 5 to 30 Mbit/s (log-uniform), 10 to 40 ms one way, and a queue of 1 to 3 BDP. */
export function drawnLinks(): Pair['link'][] {
  const random = seededRandom(LINKS_SEED);
  return Array.from({ length: LINKS }, () => {
    const mbps = 5 * 6 ** random();
    const rtt_ms = 2 * (10 + 30 * random());
    const bdp_bytes = (mbps * rtt_ms * 1000) / 8;
    return {
      rate: { kind: 'constant', mbps },
      rtt_ms,
      queue_bytes: Math.round(bdp_bytes * (1 + 2 * random())),
    };
  });
}

const agrees = ({ live, virtual }: Pair): boolean =>
  Math.abs(live.throughput_mbps - virtual.throughput_mbps) <= TOLERANCE * virtual.throughput_mbps;

/** Runs `controller` over UDP through each link between network namespaces, and over the same link in virtual time. */
export async function compareOverUdp(
  { program, controller, seconds }: Omit<Run, 'link' | 'seed'>,
  onProgress: OnProgress,
): Promise<Pair[]> {
  const pairs: Pair[] = [];
  for (const [index, link] of drawnLinks().entries()) {
    onProgress({ task: `${controller} over UDP and in virtual time`, fraction: index / LINKS });
    const run = { program, controller, seconds, link, seed: index + 1 };
    pairs.push({ link, ...(await overUdp(run)), virtual: await inVirtualTime(run) });
  }
  return pairs;
}

interface Run {
  /** The path of the crate's program. */
  readonly program: string;
  readonly controller: string;
  readonly seconds: number;
  readonly link: Pair['link'];
  readonly seed: number;
}

async function overUdp({
  program,
  controller,
  seconds,
  link,
  seed,
}: Run): Promise<Pick<Pair, 'live' | 'lateness_p99_ms'>> {
  const scheme: Scheme = {
    ...{
      name: controller,
      family: 'QUIC',
      about: controller,
      license: 'MIT',
      source: 'transport/',
      needs: {},
    },
    firstToListen: 'receiver',
    receiver: ({ address, port }) => [program, 'receive', '--address', address, '--port', String(port)],
    // The run ends the sender long before this duration.
    sender: ({ address, port }) =>
      [program, 'send', `${address}:${port}`, '--controller', controller].concat('--seconds', '3600'),
  };
  for (let left = TRIES; ; left--) {
    const measured = await measureFlows(
      {
        ...{ link, seconds, seed, flows: [{ scheme, start_s: 0 }] },
        ...{ program: (name) => name, congestionControl: (name) => name },
      },
      AbortSignal.timeout((seconds + 60) * 1000),
    );
    const [fault] = measured.faults;
    if (fault) throw new Error(`${controller} over UDP failed: ${fault}`);
    const lateness_p99_ms = measured.lateness_p99_ms ?? 0;
    const isSound = lateness_p99_ms <= MOST_LATENESS_MS && measured.postcards_missing === 0;
    if (!isSound && left > 1) continue;
    const { throughput_mbps, delay_p95_ms } = computeStatistics(measured, {
      starts_s: [0],
      from_s: 0,
      seconds,
    });
    return { live: { throughput_mbps, delay_p95_ms: delay_p95_ms ?? NaN }, lateness_p99_ms };
  }
}

async function inVirtualTime({ program, controller, seconds, link, seed }: Run): Promise<Figures> {
  const options = {
    controller,
    'rate-mbps': link.rate.mbps * IP_SHARE,
    'one-way-delay-ms': link.rtt_ms / 2,
    'queue-bytes': link.queue_bytes,
    seconds,
    seed,
  };
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]);
  return JSON.parse(await runQuietly(program, ['simulate', ...words])) as Figures;
}

/** Formats a line for each link, and one for the target. */
export function formatTable(pairs: readonly Pair[]): string {
  const rows = pairs.map((pair) => {
    const { link, live, virtual, lateness_p99_ms } = pair;
    const numbers = [
      ...[link.rate.mbps.toFixed(1), (link.rtt_ms / 2).toFixed(1), String(link.queue_bytes)],
      ...[live.throughput_mbps.toFixed(2), virtual.throughput_mbps.toFixed(2)],
      `${(100 * (live.throughput_mbps / virtual.throughput_mbps - 1)).toFixed(1)}%`,
      ...[live.delay_p95_ms.toFixed(1), virtual.delay_p95_ms.toFixed(1), lateness_p99_ms.toFixed(1)],
    ];
    return `| ${numbers.join(' | ')} |`;
  });
  const agreeing = pairs.filter(agrees).length;
  return [
    '| Mbit/s | one way, ms | queue, bytes | UDP, Mbit/s | virtual | difference | UDP, p95 ms | virtual | switch late, p99 ms |',
    '| --- | --- | --- | --- | --- | --- | --- | --- | --- |',
    ...rows,
    `${agreeing} of ${pairs.length} within ${100 * TOLERANCE}% (target: ${LINKS_TO_AGREE})`,
  ].join('\n');
}

import { readFileSync } from 'node:fs';
import type { LinkBehavior } from '../../../buffers/packets/virtual-queue.ts';
import { seededRandom } from '../../ground/statistics/random.ts';
import type { Link } from '../../network/links/link.ts';
import { parseTrace, resolveTrace } from '../../network/links/traces.ts';
import type { MeasuredFlows } from '../../network/schemes/measured.ts';
import { FRAME_BYTES, makeAckGathering, modelFlows, makePolicer } from '../pantheon/model.ts';

/**
 * Paths for an emulator of five parameters to replicate. Some of their properties are beyond these parameters. They are
 * hidden from the search, not real: they represent Pantheon's paths (§3.5.3), and run in virtual time. This file is
 * frozen: it was committed before any emulator was fitted, and a changed path must get a new name.
 */
export interface HiddenPath {
  readonly about: string;
  readonly link: Link;
  /** The path's behavior in addition to its link. */
  readonly behavior?: (random: () => number) => LinkBehavior | Promise<LinkBehavior>;
  /** The schemes of competing flows, which begin within the first seconds. */
  readonly cross?: readonly string[];
}

/** The time within which the competing flows begin, s. */
const CROSS_WITHIN_S = 2;

const bitsPerMs = (mbps: number): number => mbps * 1000;

/** The rate of the wandering path in each second, Mbit/s: a random walk around 12 Mbit/s that was drawn once. */
const WANDERING_MBPS = [
  ...[10.2, 11.1, 12.7, 13.9, 12.2, 10.8, 9.1, 8.4, 9.6, 11.5],
  ...[12.9, 14.2, 15, 13.3, 11.9, 12.6, 10.9, 9.8, 9.2, 10],
];

const constant = (mbps: number, rtt_ms: number, queue_bytes: number): Link => ({
  rate: { kind: 'constant', mbps },
  rtt_ms,
  queue_bytes,
});

export const hiddenPaths = {
  wandering: {
    about: 'a rate that wanders between 8.4 and 15 Mbit/s',
    link: {
      rate: { kind: 'schedule', steps: WANDERING_MBPS.map((mbps) => ({ seconds: 1, mbps })) },
      rtt_ms: 50,
      queue_bytes: 150_000,
    },
  },
  policer: {
    about: 'a link of 40 Mbit/s behind a token bucket of 8 Mbit/s and 40 kB',
    link: constant(40, 30, 100_000),
    behavior: () => makePolicer({ policer: { mbps: 8, burst_bytes: 40_000 } }),
  },
  aggregation: {
    about: 'ACKs that come together, every 12 ms',
    link: constant(15, 40, 120_000),
    behavior: () => makeAckGathering({ gather_ms: 12 }),
  },
  cross: {
    about: 'a flow of cubic on the same link of 16 Mbit/s',
    link: constant(16, 45, 160_000),
    cross: ['cubic'],
  },
  lte: {
    about: "mahimahi's trace Verizon-LTE-short",
    link: constant(12, 60, 300_000),
    behavior: (random) => replayTrace('Verizon-LTE-short', random),
  },
  wifi: {
    about: 'bursts of up to 16 packets at 60 Mbit/s, 12 ms apart in the mean',
    link: constant(14, 30, 200_000),
    behavior: (random) => bursts({ mbps: 60, packets: 16, mean_gap_ms: 12 }, random),
  },
} as const satisfies Readonly<Record<string, HiddenPath>>;

export type HiddenPathName = keyof typeof hiddenPaths;

/**
 * Runs one flow of a scheme over a hidden path, and returns the measurements of that flow, without those of competing
 * flows.
 */
export async function measureHidden(
  name: HiddenPathName,
  { scheme, seconds, seed }: { readonly scheme: string; readonly seconds: number; readonly seed: number },
): Promise<MeasuredFlows> {
  const { link, behavior, cross = [] }: HiddenPath = hiddenPaths[name];
  const random = seededRandom(seed);
  const others = cross.map((each) => ({ scheme: each, start_s: CROSS_WITHIN_S * random() }));
  const measured = modelFlows({
    link: startAnywhere(link, random),
    flows: [{ scheme, start_s: 0 }, ...others],
    behavior: (await behavior?.(random)) ?? {},
    ...{ seconds, seed },
  });
  return { ...measured, packets: measured.packets.filter(({ flow }) => flow === 0) };
}

/** Begins a schedule at a random step, so that runs of a path differ as they would on a real path. */
const startAnywhere = (link: Link, random: () => number): Link => {
  if (link.rate.kind !== 'schedule') return link;
  const { steps } = link.rate;
  const first = Math.floor(random() * steps.length);
  return { ...link, rate: { kind: 'schedule', steps: [...steps.slice(first), ...steps.slice(0, first)] } };
};

/** The opportunities of a mahimahi trace, one packet each. The trace begins at a random position and repeats. */
async function replayTrace(name: string, random: () => number): Promise<LinkBehavior> {
  const path = await resolveTrace(name, 'downlink');
  const { opportunities_ms, duration_ms } = parseTrace(readFileSync(path, 'utf8'), path);
  const offset_ms = random() * duration_ms;
  let next = 0;
  const at = (index: number): number =>
    Math.floor(index / opportunities_ms.length) * duration_ms +
    (opportunities_ms[index % opportunities_ms.length] ?? 0) -
    offset_ms;
  return {
    serviceEnd: (begin_ms) => {
      while (at(next) < begin_ms) next++;
      return at(next++);
    },
  };
}

/** A channel that opens intermittently, for a number of packets back to back. */
function bursts(
  of: { readonly mbps: number; readonly packets: number; readonly mean_gap_ms: number },
  random: () => number,
): LinkBehavior {
  const packet_ms = (FRAME_BYTES * 8) / bitsPerMs(of.mbps);
  let [opens_ms, left] = [0, of.packets];
  return {
    serviceEnd: (begin_ms) => {
      // Opportunities are lost if no packet waits for them.
      while (left === 0 || opens_ms + of.packets * packet_ms < begin_ms) {
        opens_ms += of.packets * packet_ms - of.mean_gap_ms * Math.log(1 - random());
        left = of.packets;
      }
      left--;
      return Math.max(begin_ms, opens_ms) + packet_ms;
    },
  };
}

import { kernels } from '../../../buffers/packets/kernel-rules.ts';
import { startFlows } from '../../../buffers/packets/simulate-flows.ts';
import type { LinkBehavior } from '../../../buffers/packets/virtual-queue.ts';
import { TokenBucket } from '../../../p4/switch/link/token-bucket.ts';
import { seededRandom } from '../../ground/statistics/random.ts';
import type { Link, LinkRate } from '../../network/links/link.ts';
import type { MeasuredFlows, MeasuredPacket } from '../../network/schemes/measured.ts';
import type { PantheonSpec } from './run-spec.ts';
import { getStart_s } from './settings.ts';

/** Flows of modeled senders on a path, in virtual time. */
export interface ModelledFlows {
  readonly link: Link;
  readonly flows: readonly { readonly scheme: string; readonly start_s: number }[];
  readonly seconds: number;
  readonly seed: number;
  /** Properties of the path in addition to its link, such as the bursts of a hidden path. */
  readonly behavior?: LinkBehavior;
}

/** The size of an Ethernet frame around an IP packet of 1500 bytes. */
export const FRAME_BYTES = 1514;
const PACKET_BYTES = 1500;
/**
 * The rate of the senders' interface, Mbit/s. It is so high that the interface is never a bottleneck, as on the live
 * switch.
 */
const ACCESS_MBPS = 1000;
const KERNEL = kernels['6.1'];

/** Simulates the flows in the packet model. Each direction has half of the delay, as on the live switch. */
export function modelFlows({ link, flows, seconds, seed, behavior = {} }: ModelledFlows): MeasuredFlows {
  const packets: MeasuredPacket[] = [];
  const mbps = meanRate(link.rate);
  const random = seededRandom(seed);
  const loss = link.loss ?? 0;
  const { jitter_ms = 0 } = link;
  // The delay without jitter. `makeJitter` adds the jitter of each packet.
  const way_ms = link.rtt_ms / 2 - jitter_ms;
  const running = startFlows(
    {
      rate_bit_s: mbps * 1e6,
      rtt_ms: [2 * way_ms],
      queue: { at: 'tail', packets: Math.max(1, Math.floor(link.queue_bytes / FRAME_BYTES)) },
      flows: flows.map(({ scheme, start_s }) => ({
        ...{ congestion_control: scheme, start_s, rtt_class: 0, bytes: null, paced: false, ecn: false },
      })),
      ...{ seconds, from_s: 0 },
    },
    {
      ...{ kernel: KERNEL, seed, packet_bytes: FRAME_BYTES, access: ACCESS_MBPS / mbps, gather_us: 0 },
      link: {
        ...makeTransmission(link.rate, random),
        ...(loss > 0 && { loses: () => random() < loss }),
        ...makePolicer(link),
        ...makeAckGathering(link),
        ...(jitter_ms > 0 && makeJitter(jitter_ms, random)),
        ...behavior,
        onDeparture: ({ flow }, joined_ms, arrives_ms) =>
          packets.push({
            ...{ flow, sent_s: joined_ms / 1000, bytes: PACKET_BYTES },
            delay_ms: arrives_ms - joined_ms + way_ms,
          }),
      },
    },
  );
  running.runTo(seconds * 1000);
  const { sent, dropped, lost } = running.queue;
  return {
    packets,
    faults: flows.map(() => null),
    departed_packets: sent,
    departed_bytes: sent * FRAME_BYTES,
    dropped_packets: dropped,
    lost_on_wire_packets: lost,
    postcards_missing: 0,
    lateness_p99_ms: null,
  };
}

/** Simulates a run of a scheme whose flows begin one after the other, and returns their start times. */
export function modelScheme({
  cell,
  link,
  seconds,
  seed,
}: Pick<PantheonSpec, 'cell' | 'link' | 'seconds' | 'seed'>): {
  readonly flows: MeasuredFlows;
  readonly starts_s: readonly number[];
} {
  const starts_s = Array.from({ length: cell.flows }, (_, index) => getStart_s(index, cell.flows, seconds));
  const flows = starts_s.map((start_s) => ({ scheme: cell.scheme, start_s }));
  return { flows: modelFlows({ link, flows, seconds, seed }), starts_s };
}

/** Makes a token bucket in front of the queue, if the link has one. */
export function makePolicer({ policer }: Pick<Link, 'policer'>): LinkBehavior {
  if (policer === undefined) return {};
  const bucket = new TokenBucket((policer.mbps * 1000) / 8, policer.burst_bytes);
  return { admits: (now_ms) => bucket.take(now_ms, FRAME_BYTES) };
}

export const makeAckGathering = ({ gather_ms }: Pick<Link, 'gather_ms'>): LinkBehavior =>
  gather_ms === undefined ? {} : { ackAt: (come_ms) => Math.ceil(come_ms / gather_ms) * gather_ms };

/** Makes uniform jitter without reordering in each direction, as on the switch. */
function makeJitter(jitter_ms: number, random: () => number): LinkBehavior {
  const way = () => {
    let latest_ms = -Infinity;
    return (at_ms: number): number => (latest_ms = Math.max(latest_ms, at_ms + 2 * jitter_ms * random()));
  };
  return { arrivesAt: way(), ackAt: way() };
}

/** The mean of a link's rate over time, Mbit/s. */
function meanRate(rate: LinkRate): number {
  switch (rate.kind) {
    case 'constant':
    case 'poisson':
      return rate.mbps;
    case 'schedule': {
      const seconds = rate.steps.reduce((sum, step) => sum + step.seconds, 0);
      return rate.steps.reduce((sum, step) => sum + step.seconds * step.mbps, 0) / seconds;
    }
    case 'trace':
      throw new Error('the packet model does not support mahimahi traces; use --link p4');
  }
}

function makeTransmission(rate: LinkRate, random: () => number): LinkBehavior {
  switch (rate.kind) {
    case 'constant':
    case 'trace':
      return {};
    case 'poisson': {
      const mean_ms = (FRAME_BYTES * 8) / (rate.mbps * 1000);
      return { serviceEnd: (begin_ms) => begin_ms - mean_ms * Math.log(1 - random()) };
    }
    case 'schedule':
      return { serviceEnd: (begin_ms) => endInSchedule(rate.steps, begin_ms) };
  }
}

/** The end of a packet's transmission. If the rate changes meanwhile, the remaining bits are sent at the new rate. */
function endInSchedule(
  steps: readonly { readonly seconds: number; readonly mbps: number }[],
  begin_ms: number,
): number {
  const period_ms = steps.reduce((sum, { seconds }) => sum + seconds, 0) * 1000;
  let left_bits = FRAME_BYTES * 8;
  let now = begin_ms;
  while (true) {
    let end = Math.floor(now / period_ms) * period_ms;
    for (const { seconds, mbps } of steps) {
      end += seconds * 1000;
      if (end <= now) continue;
      const bits = (end - now) * mbps * 1000;
      if (bits >= left_bits) return now + left_bits / (mbps * 1000);
      left_bits -= bits;
      now = end;
    }
  }
}

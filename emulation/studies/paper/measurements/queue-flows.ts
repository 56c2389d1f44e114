import { startFlows } from '../../../../buffers/packets/simulate-flows.ts';
import type { VirtualControl } from '../../../../buffers/packets/controls/control-named.ts';
import { kernels } from '../../../../buffers/packets/kernel-rules.ts';
import type { Traffic } from '../../../../buffers/traffic/traffic.ts';
import { mean } from '../../../ground/statistics/bootstrap.ts';
import { nearestRank } from '../../../ground/statistics/percentiles.ts';
import { seededRandom } from '../../../ground/statistics/random.ts';

/** Flows of one congestion control that share a drop-tail queue, sent by the rules of Linux 6.1 in virtual time. */
export interface QueueFlows {
  readonly congestion_control: VirtualControl;
  readonly flows: number;
  /** The buffer's size in bandwidth-delay products. */
  readonly buffer_bdp: number;
  /** The bandwidth-delay product, packets. */
  readonly bdp_packets: number;
  /** The largest deviation of a flow's minimum RTT from the mean, as a share; RTTs are evenly spaced. 0 by default. */
  readonly rtt_spread?: number;
  /** The number of round trips that are measured, after the start-up. */
  readonly round_trips: number;
  readonly seed: number;
}

/** The RTT of `npm run lab -- run buffer-paper`. */
export const RTT_MS = 20;
/** The frame size of `npm run lab -- run buffer-paper`. */
export const FRAME_BYTES = 1514;
/** The length of the start-up, in round trips. */
const START_UP_RTTS = 100;
/** The first part of the start-up, within which flows begin at random times, in round trips. */
const STARTS_WITHIN_RTTS = 50;
const LEAST_BUFFER_PACKETS = 2;
const FIRST_PERCENTILE = 0.01;

export interface QueueMeasures {
  /** The share of time for which the link is busy. */
  readonly mean: number;
  /** The 1st percentile of this share over windows of 8 round trips. */
  readonly p1_8rtt: number;
  /** The 1st percentile of this share over windows of 10 round trips. */
  readonly p1_10rtt: number;
  /** The share of packets that find other packets in the queue. */
  readonly found_queue: number;
  readonly buffer_packets: number;
  /**
   * The difference between the highest and the lowest depth of the queue, as a share of the buffer. The 1% of packets
   * with the highest and the 1% with the lowest depth are ignored.
   */
  readonly drained: number;
  /** The largest mean window of any flow, as a multiple of the flow's fair share of link and buffer. */
  readonly largest_window: number;
  /**
   * The share of the flows' windows, taken after each round trip, that differ from the fair share by more than a
   * quarter.
   */
  readonly uneven_windows: number;
  /** For each round trip with a full queue and at least one retransmission, the number of flows that retransmitted. */
  readonly loss_flows: readonly number[];
}

export function playQueue({
  congestion_control,
  flows,
  buffer_bdp,
  bdp_packets,
  rtt_spread = 0,
  round_trips,
  seed,
}: QueueFlows): QueueMeasures {
  const random = seededRandom(seed);
  const rate_bit_s = (bdp_packets * FRAME_BYTES * 8) / (RTT_MS / 1000);
  const buffer_packets = Math.max(LEAST_BUFFER_PACKETS, Math.round(buffer_bdp * bdp_packets));
  const rtt_ms = Array.from(
    { length: flows },
    (_, flow) => RTT_MS * (1 + rtt_spread * (flows === 1 ? 0 : (2 * flow) / (flows - 1) - 1)),
  );
  const traffic: Traffic = {
    ...{ rate_bit_s, rtt_ms, queue: { packets: buffer_packets, at: 'tail' }, burst_packets: 1 },
    ...{ from_s: (START_UP_RTTS * RTT_MS) / 1000, opened_first: true },
    seconds: ((START_UP_RTTS + round_trips) * RTT_MS) / 1000,
    flows: Array.from({ length: flows }, (_, flow) => ({
      ...{ congestion_control, rtt_class: flow, bytes: null, paced: false, ecn: false },
      start_s: (random() * STARTS_WITHIN_RTTS * RTT_MS) / 1000,
    })),
  };
  const { runTo, counts, windows, queue, packet_ms } = startFlows(traffic, {
    kernel: kernels['6.1'],
    packet_bytes: FRAME_BYTES,
    seed,
  });
  runTo(START_UP_RTTS * RTT_MS);
  const depthsBefore = [...queue.depths];
  const sent = [queue.sent];
  const again = [counts.map(({ retransmitted }) => retransmitted)];
  const sampled: (readonly number[])[] = [];
  for (let round = 1; round <= round_trips; round++) {
    runTo((START_UP_RTTS + round) * RTT_MS);
    sent.push(queue.sent);
    again.push(counts.map(({ retransmitted }) => retransmitted));
    sampled.push(windows());
  }
  const busyIn = (from: number, rounds: number) =>
    (((sent[from + rounds] ?? 0) - (sent[from] ?? 0)) * packet_ms) / (rounds * RTT_MS);
  const first_percentile = (rounds: number) =>
    nearestRank(
      Array.from({ length: Math.floor(round_trips / rounds) }, (_, at) => busyIn(at * rounds, rounds)),
      FIRST_PERCENTILE,
    ) ?? 0;
  const share = (bdp_packets + buffer_packets) / flows;
  const found = queue.depths.map((count, depth) => count - (depthsBefore[depth] ?? 0));
  const arrived = found.reduce((sum, count) => sum + count, 0);
  // A full queue lengthens the round trip by the factor 1 + `buffer_bdp`, as in buffers/traffic/loss-events.ts.
  const rounds = Math.max(1, Math.round(1 + buffer_bdp));
  const lossFlows = Array.from({ length: Math.floor(round_trips / rounds) }, (_, at) => {
    const [before, after] = [again[at * rounds] ?? [], again[(at + 1) * rounds] ?? []];
    return after.filter((count, flow) => count > (before[flow] ?? 0)).length;
  });
  return {
    ...{ mean: busyIn(0, round_trips), p1_8rtt: first_percentile(8), p1_10rtt: first_percentile(10) },
    found_queue: 1 - (found[0] ?? 0) / arrived,
    buffer_packets,
    drained: (depthBelow(found, 1 - FIRST_PERCENTILE) - depthBelow(found, FIRST_PERCENTILE)) / buffer_packets,
    largest_window: Math.max(...counts.map((_, flow) => mean(sampled.map((all) => all[flow] ?? 0)))) / share,
    uneven_windows: mean(sampled.flat().map((window) => (Math.abs(window / share - 1) > 1 / 4 ? 1 : 0))),
    loss_flows: lossFlows.filter((count) => count > 0),
  };
}

/**
 * The lowest depth such that more than this share of packets found it or a lower depth. `found` has the number of
 * packets by depth.
 */
function depthBelow(found: readonly number[], share: number): number {
  const all = found.reduce((sum, count) => sum + count, 0);
  let seen = 0;
  const depth = found.findIndex((count) => (seen += count) > share * all);
  return Math.max(0, depth);
}

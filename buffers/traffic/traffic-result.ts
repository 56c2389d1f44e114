import { reachedEgress, unaccounted } from '../../p4/switch/live/conservation.ts';
import { PATH_PORTS } from '../../p4/switch/live/path.ts';
import { meanOrNull, nearestRank } from '../../emulation/ground/statistics/percentiles.ts';
import { type TimedBytes, windowUtilization } from './utilization.ts';
import { bdpPackets, meanRtt_ms } from './bdp-packets.ts';
import { flowSummaries, type FlowSummary } from './flow-summary.ts';
import { type AckRow, ackRows, type JoinedPacket, joinedPackets } from './joined-packets.ts';
import { lossEvents, type LossEvents, windowsAtLoss } from './loss-events.ts';
import type { MeasuredTraffic } from './measure-traffic.ts';
import type { Traffic } from './traffic.ts';

/**
 * Results of flows that share a bottleneck. They cover the time after the start-up unless a field's name says
 * otherwise.
 */
export interface TrafficResult {
  readonly bdp_packets: number;
  readonly seconds: number;
  readonly from_s: number;
  /**
   * Mean and 1st percentile of the utilization, 0 to 1, over windows of as many round trips as the field's name says:
   * about 8 in Figure 3 of Updating the Theory of Buffer Sizing, 10 in its Figure 5, and 1 in its theory.
   */
  readonly utilization: {
    readonly mean: number | null;
    readonly p1_1rtt: number | null;
    readonly p1_8rtt: number | null;
    readonly p1_10rtt: number | null;
    /**
     * The utilization of a single BBR flow, without the windows in which it probed for the minimum RTT. The theory does
     * not model these.
     */
    readonly p1_8rtt_no_probe_rtt?: number | null;
  };
  /** The share of packets that found other packets in the queue. */
  readonly found_queue: number;
  /** The number of packets by the queue depth that they found. */
  readonly depths: readonly number[];
  /** Loss events per round trip with a full queue, because losses happen when the queue is full. */
  readonly loss_events: LossEvents;
  /** Loss events per round trip with an empty queue. */
  readonly loss_events_base_rtt: LossEvents;
  /**
   * The sum of the windows over BDP + B, at each loss that follows five round trips without loss: see `windowsAtLoss`.
   */
  readonly windows_at_loss: readonly number[];
  /** The 1st and 99th percentile of n flows' windows, over BDP/n (Updating the Theory of Buffer Sizing §5.6). */
  readonly fairness: { readonly least: number | null; readonly most: number | null };
  readonly flows: readonly FlowSummary[];
  /** Checks over the whole run: frames that are unaccounted for, missing postcards, and drops at the bottleneck. */
  readonly conservation: {
    readonly frames_unaccounted: number;
    readonly postcards: number;
    readonly postcards_missing: number;
    readonly tcp_records_lost: number;
    readonly dropped: number;
  };
  readonly lateness_p99_us: number;
  readonly lateness_max_us: number;
  readonly switch_cpu_share: number;
  readonly others_pct: number;
  readonly steal_pct: number | null;
}

export interface TrafficSeries {
  readonly packets: readonly JoinedPacket[];
  readonly acks: readonly AckRow[];
}

/** Losses that are less than this many round trips apart are one event. */
const EVENT_RTTS = 5;

export function trafficResult(
  traffic: Traffic,
  measured: MeasuredTraffic,
): { readonly result: TrafficResult; readonly series: TrafficSeries } {
  const { from_s, seconds, queue } = traffic;
  const { device, collector, acks: events, machine } = measured;
  const packets = joinedPackets(measured);
  const acks = ackRows(measured);
  const bdp = bdpPackets(traffic);
  const rtt_s = meanRtt_ms(traffic) / 1000;
  const depths = queueDepths(packets, { from_s, to_s: seconds });
  const met = depths.reduce((sum, count) => sum + count, 0);
  const span = { from_s, to_s: seconds };
  const result: TrafficResult = {
    bdp_packets: bdp,
    seconds,
    from_s,
    utilization: computeUtilization(traffic, measured, { rtt_s, acks }),
    found_queue: met > 0 ? 1 - (depths[0] ?? 0) / met : 0,
    depths,
    loss_events: lossEvents(packets, { ...span, rtt_s: rtt_s * (1 + queue.packets / bdp) }),
    loss_events_base_rtt: lossEvents(packets, { ...span, rtt_s }),
    windows_at_loss: windowsAtLoss(packets, acks, {
      ...span,
      apart_s: EVENT_RTTS * rtt_s,
      full_packets: bdp + queue.packets,
    }),
    fairness: computeFairness(acks, span, bdp / traffic.flows.length),
    flows: flowSummaries(traffic, { packets, acks, before: measured.before, after: measured.after }),
    conservation: {
      frames_unaccounted: unaccounted(device),
      postcards: collector.received,
      postcards_missing: reachedEgress(device, PATH_PORTS.collector) - collector.received,
      tcp_records_lost: events.lost,
      dropped: countDropped(device),
    },
    lateness_p99_us: device.lateness.p99,
    lateness_max_us: device.lateness.max,
    switch_cpu_share: device.cpu_s / device.seconds,
    others_pct: machine.others_pct,
    steal_pct: machine.steal_pct,
  };
  return { result, series: { packets, acks } };
}

interface Span {
  readonly from_s: number;
  readonly to_s: number;
}

/** Returns the number of drops at the bottleneck over the whole run. */
const countDropped = ({ ports }: MeasuredTraffic['device']): number =>
  ports.find(({ port }) => port === PATH_PORTS.inside)?.dropped ?? 0;

/** Returns the time at which each packet left the queue. */
const listDepartures = ({ postcards, origin_s }: MeasuredTraffic): TimedBytes[] =>
  postcards
    .filter(({ dropped }) => !dropped)
    .map(({ t_s, queueTime, packetLength }) => ({
      t_s: t_s + queueTime / 1e6 - origin_s,
      bytes: packetLength,
    }));

function computeUtilization(
  { rate_bit_s, from_s, seconds, flows: [flow, ...others] }: Traffic,
  measured: MeasuredTraffic,
  { rtt_s, acks }: { readonly rtt_s: number; readonly acks: readonly AckRow[] },
): TrafficResult['utilization'] {
  const departures = listDepartures(measured);
  const over = (rtts: number) =>
    windowUtilization(departures, rate_bit_s, { from_s, to_s: seconds, window_s: rtts * rtt_s });
  const p1 = (rtts: number) => nearestRank(over(rtts), 0.01);
  const shares = { mean: meanOrNull(over(1)), p1_1rtt: p1(1), p1_8rtt: p1(8), p1_10rtt: p1(10) };
  if (flow?.congestion_control !== 'bbr' || others.length > 0) return shares;
  const probing = probeRttWindows(acks, from_s, 8 * rtt_s);
  const withoutProbes = over(8).filter((_, index) => !probing.has(index));
  return { ...shares, p1_8rtt_no_probe_rtt: nearestRank(withoutProbes, 0.01) };
}

/** BBR's window while it probes for the minimum RTT (draft-cardwell-iccrg-bbr-congestion-control, BBRMinPipeCwnd). */
const PROBE_RTT_PACKETS = 4;

/**
 * Returns the windows of time in which BBR used its smallest congestion window, and their neighbors: before, BBR drains
 * the pipe, and afterwards it fills it again within two round trips.
 */
function probeRttWindows(acks: readonly AckRow[], from_s: number, window_s: number): Set<number> {
  const probing = acks.filter(({ cwnd_packets }) => cwnd_packets <= PROBE_RTT_PACKETS);
  return new Set(
    probing
      .map(({ t_s }) => Math.floor((t_s - from_s) / window_s))
      .flatMap((index) => [index - 1, index, index + 1]),
  );
}

/**
 * Returns the number of packets by the depth at which they joined the queue. Packets dropped at the tail of a full
 * queue are not counted.
 */
function queueDepths(packets: readonly JoinedPacket[], { from_s, to_s }: Span): number[] {
  const counts: number[] = [];
  for (const { t_s, fate, enq_depth } of packets) {
    if (fate === 'queue_full' || t_s < from_s || t_s >= to_s) continue;
    while (counts.length <= enq_depth) counts.push(0);
    counts[enq_depth] = (counts[enq_depth] ?? 0) + 1;
  }
  return counts;
}

function computeFairness(
  acks: readonly AckRow[],
  { from_s, to_s }: Span,
  share_packets: number,
): TrafficResult['fairness'] {
  const sizes = acks
    .filter(({ t_s }) => t_s >= from_s && t_s < to_s)
    .map(({ cwnd_packets }) => cwnd_packets / share_packets);
  return { least: nearestRank(sizes, 0.01), most: nearestRank(sizes, 0.99) };
}

/** The measurements of a valid run. */
export interface Evaluated extends ReturnType<typeof trafficResult> {
  /** Start time in ISO 8601. */
  readonly started_at: string;
}

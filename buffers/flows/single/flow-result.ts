import { loadavg } from 'node:os';
import type { Postcard } from '../../../p4/collector/postcard.ts';
import type { QueueRow } from '../../../emulation/network/links/postcard-link.ts';
import { meanOrNull, nearestRank } from '../../../emulation/ground/statistics/percentiles.ts';
import { ALGORITHMS, type AlgorithmName } from '../../theory/algorithm.ts';
import { leastUtilization } from '../../theory/single-flow.ts';
import { ackRows, joinedPackets, type AckRow } from '../../traffic/joined-packets.ts';
import type { MeasuredTraffic } from '../../traffic/measure-traffic.ts';
import type { Traffic } from '../../traffic/traffic.ts';
import { departuresOf, droppedOf } from '../../traffic/traffic-result.ts';
import { windowUtilization } from '../../traffic/utilization.ts';
import { eventsOf } from '../figures/series.ts';
import { LINK, type SingleRun } from './cells.ts';

/** The content of `result.json`. */
export interface FlowResult {
  readonly cell: string;
  readonly congestion_control: AlgorithmName;
  readonly buffer_bdp: number;
  readonly buffer_packets: number;
  readonly k: number;
  readonly seconds: number;
  /** The fields below are about the time from here on, without slow start. */
  readonly from_s: number;
  /** 0 to 1: the 1st percentile of windows of eight base RTTs, the paper's measure (§3.6), and of one, its theory's. */
  readonly utilization_p1: number | null;
  readonly utilization_p1_rtt: number | null;
  /** The first of them without the windows in which BBR probed for the minimum RTT, which the theory leaves out. */
  readonly utilization_p1_no_probe_rtt: number | null;
  readonly utilization_mean: number | null;
  readonly theory: number;
  /** The queue's length before a packet that joined it. */
  readonly queue_p1_packets: number | null;
  readonly queue_p50_packets: number | null;
  readonly queue_p99_packets: number | null;
  readonly packets: number;
  readonly drops_whole_run: number;
  readonly loss_events_s: readonly number[];
  readonly least_srtt_ms: number | null;
  readonly lateness_p99_us: number;
  readonly postcards_lost: number;
  readonly tcp_records_lost: number;
  /** The load average of the last minute (getloadavg(3)); above the number of processors, delay and switch stall. */
  readonly machine_load: number;
  /** The shares of all processors' time of other programs, and of other machines (steal); null where not known. */
  readonly others_pct: number;
  readonly steal_pct: number | null;
}

export interface Flow {
  readonly result: FlowResult;
  readonly queue: readonly QueueRow[];
  readonly tcp: readonly Omit<AckRow, 'flow'>[];
}

const RTT_S = LINK.base_rtt_ms / 1000;
/** The paper's 10 ms, at its round trip of a little more than a millisecond (§2). */
const WINDOW_RTTS = 8;
const WINDOW_S = (WINDOW_RTTS * LINK.base_rtt_ms) / 1000;
/** Losses that are less than this many base round trips apart are one event. */
const EVENT_RTTS = 5;
/** BBR's window while it probes for the minimum RTT (draft-cardwell-iccrg-bbr-congestion-control, BBRMinPipeCwnd). */
const PROBE_RTT_PACKETS = 4;

/** Evaluates the measurements; `t_s` counts from the flow's first data packet. */
export function flowResult(
  { cell, congestion_control, buffer_bdp, k }: SingleRun,
  { rate_bit_s, queue: { packets: buffer_packets }, seconds, from_s }: Traffic,
  measured: MeasuredTraffic,
): Flow {
  const { postcards, collector, device, machine } = measured;
  const [first] = postcards;
  if (!first) throw new Error(`${cell}: no packet of the flow passed the switch`);
  const fromFirst = { ...measured, origin_s: first.t_s };
  const queue = queueRows(postcards, first.t_s);
  const tcp = ackRows(fromFirst);

  const to_s = Math.min(seconds, (queue.at(-1)?.t_s ?? 0) - RTT_S);
  const departures = departuresOf(fromFirst);
  const over = (window_s: number) => windowUtilization(departures, rate_bit_s, { from_s, to_s, window_s });
  const shares = over(WINDOW_S);
  const probing =
    congestion_control === 'bbr' ? probeRttWindows(tcp, from_s, shares.length) : new Set<number>();
  const counts = ({ t_s }: { readonly t_s: number }) => t_s >= from_s && t_s < to_s;
  const depths = queue.filter(counts).map(({ depth_packets }) => depth_packets);
  const events_s = eventsOf(joinedPackets(fromFirst), EVENT_RTTS * RTT_S);
  const result: FlowResult = {
    ...{ cell, congestion_control, buffer_bdp, buffer_packets, k, seconds, from_s },
    utilization_p1: nearestRank(shares, 0.01),
    utilization_p1_rtt: nearestRank(over(RTT_S), 0.01),
    utilization_p1_no_probe_rtt: nearestRank(
      shares.filter((_, index) => !probing.has(index)),
      0.01,
    ),
    utilization_mean: meanOrNull(shares),
    theory: leastUtilization(ALGORITHMS[congestion_control], buffer_bdp),
    queue_p1_packets: nearestRank(depths, 0.01),
    queue_p50_packets: nearestRank(depths, 0.5),
    queue_p99_packets: nearestRank(depths, 0.99),
    packets: postcards.length,
    drops_whole_run: droppedOf(device),
    loss_events_s: events_s.filter((t_s) => counts({ t_s })),
    least_srtt_ms:
      tcp.length > 0 ? tcp.reduce((least, { srtt_ms }) => Math.min(least, srtt_ms), Infinity) : null,
    lateness_p99_us: device.lateness.p99,
    postcards_lost: collector.lost,
    tcp_records_lost: measured.acks.lost,
    machine_load: loadavg()[0] ?? 0,
    others_pct: machine.others_pct,
    steal_pct: machine.steal_pct,
  };
  return { result, queue, tcp };
}

/** For each packet that joined the queue, the queue's length before it. */
function queueRows(postcards: readonly Postcard[], origin_s: number): QueueRow[] {
  let oldest = 0;
  let depth_bytes = 0;
  return postcards.map((postcard) => {
    // The queue is first in, first out, so the oldest packets leave first.
    for (
      let head = postcards[oldest];
      head && head.t_s + head.queueTime / 1e6 <= postcard.t_s && head !== postcard;
      head = postcards[++oldest]
    )
      depth_bytes -= head.packetLength;
    const row = { t_s: postcard.t_s - origin_s, depth_packets: postcard.enqueueDepth, depth_bytes };
    depth_bytes += postcard.packetLength;
    return row;
  });
}

/** Windows in which BBR had its smallest window, and those of the two round trips in which it fills the pipe again. */
function probeRttWindows(tcp: Flow['tcp'], from_s: number, count: number): Set<number> {
  const windows = new Set<number>();
  for (const { t_s, cwnd_packets } of tcp) {
    if (cwnd_packets > PROBE_RTT_PACKETS) continue;
    const index = Math.floor((t_s - from_s) / WINDOW_S);
    const span = Math.ceil((2 * RTT_S) / WINDOW_S);
    for (let at = Math.max(0, index - span); at <= Math.min(count - 1, index + span); at++) windows.add(at);
  }
  return windows;
}

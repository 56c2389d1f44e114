import { loadavg } from 'node:os';
import type { Postcard } from '../../p4/collector/postcard.ts';
import { PATH_PORTS } from '../../p4/switch/live/path.ts';
import {
  BASE_RTT_MS,
  RATE_BIT_S,
  bufferPackets,
  flowCellName,
  type FlowCell,
  type CongestionControl,
} from './flow-cells.ts';
import type { QueueRow } from '../links/postcard-link.ts';
import { nearestRank } from '../statistics/percentiles.ts';
import { ALGORITHMS } from '../theory/algorithm.ts';
import { leastUtilization } from '../theory/single-flow.ts';
import type { MeasuredFlow } from './measure-flow.ts';
import { windowUtilization, type TimedBytes } from '../traffic/utilization.ts';

/** The content of `result.json`. */
export interface FlowResult {
  readonly cell: string;
  readonly congestion_control: CongestionControl;
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

export interface WindowRow {
  readonly t_s: number;
  readonly cwnd_packets: number;
  readonly ssthresh_packets: number | null;
  readonly srtt_ms: number;
}

export interface Flow {
  readonly result: FlowResult;
  readonly queue: readonly QueueRow[];
  readonly tcp: readonly WindowRow[];
}

/** The paper's 10 ms, at its round trip of a little more than a millisecond (§2). */
const WINDOW_RTTS = 8;
const WINDOW_S = (WINDOW_RTTS * BASE_RTT_MS) / 1000;
const START_UP_MOST_S = 5;
/** Losses that are less than this many base round trips apart are one event. */
const EVENT_RTTS = 5;
/** BBR's window while it probes for the minimum RTT (draft-cardwell-iccrg-bbr-congestion-control, BBRMinPipeCwnd). */
const PROBE_RTT_PACKETS = 4;

/** Evaluates the measurements; `t_s` counts from the flow's first data packet. */
export function flowResult(cell: FlowCell, k: number, seconds: number, measured: MeasuredFlow): Flow {
  const { postcards, collector, device } = measured;
  const [first] = postcards;
  if (!first) throw new Error(`${flowCellName(cell)}: no packet of the flow passed the switch`);
  const origin_s = first.t_s;
  const queue = queueRows(postcards, origin_s);
  const tcp = measured.tcp.events
    .map(({ t_ms, cwnd_packets, ssthresh_packets, srtt_ms }) => ({
      t_s: t_ms / 1000 - origin_s,
      cwnd_packets,
      ssthresh_packets: Number.isFinite(ssthresh_packets) ? ssthresh_packets : null,
      srtt_ms,
    }))
    .filter(({ srtt_ms }) => srtt_ms > 0);

  const from_s = Math.min(START_UP_MOST_S, seconds / 4);
  const to_s = Math.min(seconds, (queue.at(-1)?.t_s ?? 0) - BASE_RTT_MS / 1000);
  const departures: TimedBytes[] = postcards.map(({ t_s, queueTime, packetLength }) => ({
    t_s: t_s + queueTime / 1e6 - origin_s,
    bytes: packetLength,
  }));
  const over = (window_s: number) => windowUtilization(departures, RATE_BIT_S, { from_s, to_s, window_s });
  const shares = over(WINDOW_S);
  const probing =
    cell.congestionControl === 'bbr' ? probeRttWindows(tcp, from_s, shares.length) : new Set<number>();
  const settled = queue.filter(({ t_s }) => t_s >= from_s && t_s < to_s);
  const depth = (fraction: number) =>
    nearestRank(
      settled.map(({ depth_packets }) => depth_packets),
      fraction,
    );
  const port = device.ports.find((each) => each.port === PATH_PORTS.inside);
  const result: FlowResult = {
    cell: flowCellName(cell),
    congestion_control: cell.congestionControl,
    buffer_bdp: cell.buffer_bdp,
    buffer_packets: bufferPackets(cell),
    k,
    seconds,
    from_s,
    utilization_p1: nearestRank(shares, 0.01),
    utilization_p1_rtt: nearestRank(over(BASE_RTT_MS / 1000), 0.01),
    utilization_p1_no_probe_rtt: nearestRank(
      shares.filter((_, index) => !probing.has(index)),
      0.01,
    ),
    utilization_mean:
      shares.length > 0 ? shares.reduce((sum, share) => sum + share, 0) / shares.length : null,
    theory: leastUtilization(ALGORITHMS[cell.congestionControl], cell.buffer_bdp),
    queue_p1_packets: depth(0.01),
    queue_p50_packets: depth(0.5),
    queue_p99_packets: depth(0.99),
    packets: postcards.length,
    drops_whole_run: port?.dropped ?? 0,
    loss_events_s: lossEvents(postcards, origin_s).filter((t_s) => t_s >= from_s && t_s < to_s),
    least_srtt_ms:
      tcp.length > 0 ? tcp.reduce((least, { srtt_ms }) => Math.min(least, srtt_ms), Infinity) : null,
    lateness_p99_us: device.lateness.p99,
    postcards_lost: collector.lost,
    tcp_records_lost: measured.tcp.lost,
    machine_load: loadavg()[0] ?? 0,
    others_pct: measured.machine.others_pct,
    steal_pct: measured.machine.steal_pct,
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

/** Drop-tail keeps the order, so missing bytes were lost just before the packet after them arrived. */
function lossEvents(postcards: readonly Postcard[], origin_s: number): number[] {
  const events: number[] = [];
  let next: number | undefined;
  let last_s = -Infinity;
  for (const { tcp, payloadLength, t_s } of postcards) {
    if (!tcp) continue;
    // TCP's sequence numbers are modulo 2^32.
    const ahead = next === undefined ? 0 : (tcp.sequence - next) | 0;
    if (ahead > 0) {
      if (t_s - last_s > (EVENT_RTTS * BASE_RTT_MS) / 1000) events.push(t_s - origin_s);
      last_s = t_s;
    }
    if (next === undefined || ahead + payloadLength > 0) next = (tcp.sequence + payloadLength) >>> 0;
  }
  return events;
}

/** Windows in which BBR had its smallest window, and those of the two round trips in which it fills the pipe again. */
function probeRttWindows(tcp: readonly WindowRow[], from_s: number, count: number): Set<number> {
  const windows = new Set<number>();
  for (const { t_s, cwnd_packets } of tcp) {
    if (cwnd_packets > PROBE_RTT_PACKETS) continue;
    const index = Math.floor((t_s - from_s) / WINDOW_S);
    const span = Math.ceil((2 * BASE_RTT_MS) / 1000 / WINDOW_S);
    for (let at = Math.max(0, index - span); at <= Math.min(count - 1, index + span); at++) windows.add(at);
  }
  return windows;
}

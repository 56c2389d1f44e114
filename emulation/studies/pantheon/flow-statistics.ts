import { meanOrNull, nearestRank } from '../../ground/statistics/percentiles.ts';
import type { MeasuredFlows, MeasuredPacket } from '../../network/schemes/measured.ts';

/** The statistics of a run that Pantheon reports (§3.3.2), for all flows together and for each flow. */
export interface FlowStatistics {
  /**
   * The throughput of IP packets that arrived, from the end of the start-up or, if that is later, the flow's start,
   * until the run's end.
   */
  readonly throughput_mbps: number;
  /** The one-way delay of packets; null without arrivals. */
  readonly delay_p95_ms: number | null;
  readonly delay_mean_ms: number | null;
}

export interface RunStatistics extends FlowStatistics {
  /** The lost share of all packets that reached the bottleneck, including the start-up. */
  readonly loss_pct: number;
  readonly each: readonly (FlowStatistics & { readonly start_s: number })[];
  /** Jain's index of the flows' throughput while all flows run, without the last flow's start-up; 1 is a fair share. */
  readonly fairness: number;
}

export interface Span {
  readonly starts_s: readonly number[];
  readonly from_s: number;
  readonly seconds: number;
}

/** A flow with fewer bytes has only attempted a handshake. */
const LEAST_BYTES = 15_000;
/**
 * The highest drop rate. Above it, a scheme sends more than five times the path's capacity, so it does not control its
 * congestion.
 */
const FLOOD = 0.8;

export function computeStatistics(
  measured: MeasuredFlows,
  { starts_s, from_s, seconds }: Span,
): RunStatistics {
  const { packets, dropped_packets, lost_on_wire_packets, departed_packets } = measured;
  const arrived = departed_packets - lost_on_wire_packets;
  // The switch does not report which packets were lost after the queue, so every throughput is reduced by the share of
  // lost packets.
  const share = departed_packets > 0 ? arrived / departed_packets : 1;
  const of = (own: readonly MeasuredPacket[], begin_s: number): FlowStatistics => {
    const delays: number[] = [];
    let counted_bytes = 0;
    for (const packet of own) {
      const at_s = arrival_s(packet);
      if (at_s < begin_s || at_s >= seconds) continue;
      delays.push(packet.delay_ms);
      counted_bytes += packet.bytes;
    }
    return {
      throughput_mbps: (counted_bytes * 8 * share) / ((seconds - begin_s) * 1e6),
      delay_p95_ms: nearestRank(delays, 0.95),
      delay_mean_ms: meanOrNull(delays),
    };
  };
  const offered = departed_packets + dropped_packets;
  const flows = starts_s.map((start_s, flow) => ({
    start_s,
    packets: starts_s.length === 1 ? packets : packets.filter((packet) => packet.flow === flow),
    counted_s: Math.min(start_s + from_s, (start_s + seconds) / 2),
  }));
  const together_s = Math.max(...flows.map(({ counted_s }) => counted_s));
  return {
    ...of(packets, from_s),
    loss_pct: offered > 0 ? (100 * (dropped_packets + lost_on_wire_packets)) / offered : 0,
    each: flows.map(({ start_s, packets: own, counted_s }) => ({ start_s, ...of(own, counted_s) })),
    fairness:
      flows.length === 1
        ? 1
        : jainIndex(flows.map(({ packets: own }) => of(own, together_s).throughput_mbps)),
  };
}

/**
 * Jain's fairness index: the square of the sum over n times the sum of squares (Jain, Chiu and Hawe, 1984). It is 1 for
 * equal values, and 1/n if a single value is not 0.
 */
export function jainIndex(values: readonly number[]): number {
  const sum = values.reduce((total, value) => total + value, 0);
  const squares = values.reduce((total, value) => total + value ** 2, 0);
  return squares > 0 ? sum ** 2 / (values.length * squares) : 1;
}

const arrival_s = ({ sent_s, delay_ms }: MeasuredPacket): number => sent_s + delay_ms / 1000;

/** The fault of a run's scheme, in one line; undefined without a fault. */
export function findFault(measured: MeasuredFlows, { seconds }: Pick<Span, 'seconds'>): string | undefined {
  const { faults, packets, dropped_packets, departed_packets } = measured;
  const own = faults.find((fault) => fault !== null);
  if (own != null) return own;
  for (const flow of faults.keys()) {
    const bytes = packets.reduce((sum, each) => (each.flow === flow ? sum + each.bytes : sum), 0);
    if (bytes < LEAST_BYTES)
      return `flow ${flow + 1} sent ${bytes} bytes in ${seconds} s: the scheme sent nothing, or the path has no capacity`;
  }
  const dropped = dropped_packets / (dropped_packets + departed_packets);
  if (dropped > FLOOD) return `floods the path: ${(100 * dropped).toFixed(0)}% of its packets were dropped`;
  return undefined;
}

import { groupBy } from '../../emulation/ground/statistics/grouped.ts';
import { meanOrNull, nearestRank } from '../../emulation/ground/statistics/percentiles.ts';
import type { AckRow, JoinedPacket } from './joined-packets.ts';
import type { FlowCounts } from './messages.ts';
import { flowPort, type Traffic } from './traffic.ts';

/** The results of one flow after the start-up. */
export interface FlowSummary {
  readonly flow: number;
  readonly congestion_control: string;
  readonly rtt_class: number;
  /** Data that the other side acknowledged; null if the kernel no longer knew the connection. */
  readonly goodput_mbps: number | null;
  readonly acked_bytes: number | null;
  /** All sent bytes, including retransmissions. */
  readonly sent_bytes: number | null;
  readonly retransmitted_bytes: number | null;
  readonly min_rtt_ms: number | null;
  readonly srtt_p50_ms: number | null;
  /** The number of data packets that arrived at the bottleneck's queue. */
  readonly packets: number;
  /** The number of these packets that the queue dropped. */
  readonly lost: number;
  /** The number of these packets that the queue marked. */
  readonly marked: number;
  readonly window_mean_packets: number | null;
  /** The number of ACKs at each window size: `[packets, ACKs]`. */
  readonly windows: readonly (readonly [number, number])[];
}

export function flowSummaries(
  { flows, from_s, seconds }: Pick<Traffic, 'flows' | 'from_s' | 'seconds'>,
  measured: {
    readonly packets: readonly JoinedPacket[];
    readonly acks: readonly AckRow[];
    readonly before: readonly FlowCounts[];
    readonly after: readonly FlowCounts[];
  },
): FlowSummary[] {
  const settled = ({ t_s }: { readonly t_s: number }) => t_s >= from_s && t_s < seconds;
  const packetsByFlow = groupBy(measured.packets.filter(settled), ({ flow }) => flow);
  const acksByFlow = groupBy(measured.acks.filter(settled), ({ flow }) => flow);
  return flows.map(({ congestion_control, rtt_class }, flow) => {
    const packets = packetsByFlow.get(flow) ?? [];
    const acks = acksByFlow.get(flow) ?? [];
    const after = measured.after.find(({ port }) => port === flowPort(flow));
    const before = measured.before.find(({ port }) => port === flowPort(flow));
    const grown = (count: (counts: FlowCounts) => number) =>
      after ? count(after) - (before ? count(before) : 0) : null;
    const acked_bytes = grown((counts) => counts.acked_bytes);
    return {
      flow,
      congestion_control,
      rtt_class,
      goodput_mbps: acked_bytes === null ? null : (acked_bytes * 8) / 1e6 / (seconds - from_s),
      acked_bytes,
      sent_bytes: grown((counts) => counts.sent_bytes),
      retransmitted_bytes: grown((counts) => counts.retransmitted_bytes),
      min_rtt_ms: after?.min_rtt_ms ?? null,
      srtt_p50_ms: nearestRank(
        acks.map(({ srtt_ms }) => srtt_ms),
        0.5,
      ),
      packets: packets.length,
      lost: packets.filter(({ fate }) => fate === 'queue_full' || fate === 'dropped_above_threshold').length,
      marked: packets.filter(({ fate }) => fate === 'marked').length,
      window_mean_packets: meanOrNull(acks.map(({ cwnd_packets }) => cwnd_packets)),
      windows: countsBySize(acks.map(({ cwnd_packets }) => cwnd_packets)),
    };
  });
}

function countsBySize(sizes: readonly number[]): [number, number][] {
  const counts = new Map<number, number>();
  for (const size of sizes) counts.set(size, (counts.get(size) ?? 0) + 1);
  return [...counts].toSorted(([one], [other]) => one - other);
}

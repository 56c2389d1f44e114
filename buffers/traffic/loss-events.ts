import type { AckRow, JoinedPacket } from './joined-packets.ts';

/** Round trips in which packets were lost or marked, and the number of affected flows in each. */
export interface LossEvents {
  readonly rtt_ms: number;
  /** For each round trip with a loss or mark, in order of time, the number of affected flows. */
  readonly flows: readonly number[];
}

const isSignal = ({ fate }: Pick<JoinedPacket, 'fate'>): boolean => fate !== 'forwarded';

/**
 * Divides the time from `from_s` into round trips, and counts the flows that saw a loss or a mark in each round trip
 * (Updating the Theory of Buffer Sizing §5.6). Leaves out round trips without losses and marks.
 */
export function lossEvents(
  packets: Iterable<Pick<JoinedPacket, 't_s' | 'flow' | 'fate'>>,
  { from_s, to_s, rtt_s }: { readonly from_s: number; readonly to_s: number; readonly rtt_s: number },
): LossEvents {
  const rounds = new Map<number, Set<number>>();
  for (const packet of packets) {
    if (!isSignal(packet) || packet.t_s < from_s || packet.t_s >= to_s) continue;
    const round = Math.floor((packet.t_s - from_s) / rtt_s);
    const flows = rounds.get(round) ?? new Set();
    rounds.set(round, flows.add(packet.flow));
  }
  const inOrder = [...rounds].toSorted(([one], [other]) => one - other);
  return { rtt_ms: rtt_s * 1000, flows: inOrder.map(([, { size }]) => size) };
}

/**
 * Returns the sum of the flows' windows over BDP + B, at each loss or mark that follows a time without losses and
 * marks. Assumption 3 says that the ratio is 1 (§3.3). A lower ratio means that a burst overflowed the queue, for
 * example because a machine that stood still sent many ACKs at once.
 */
export function windowsAtLoss(
  packets: readonly Pick<JoinedPacket, 't_s' | 'fate'>[],
  acks: readonly Pick<AckRow, 't_s' | 'flow' | 'cwnd_packets'>[],
  {
    from_s,
    to_s,
    apart_s,
    full_packets,
  }: {
    readonly from_s: number;
    readonly to_s: number;
    readonly apart_s: number;
    readonly full_packets: number;
  },
): number[] {
  const windows = new Map<number, number>();
  const ratios: number[] = [];
  let [sum, next, last_s] = [0, 0, -Infinity];
  for (const packet of packets) {
    for (let ack = acks[next]; ack && ack.t_s <= packet.t_s; ack = acks[++next]) {
      sum += ack.cwnd_packets - (windows.get(ack.flow) ?? 0);
      windows.set(ack.flow, ack.cwnd_packets);
    }
    if (!isSignal(packet)) continue;
    const begins = packet.t_s - last_s > apart_s;
    last_s = packet.t_s;
    if (begins && packet.t_s >= from_s && packet.t_s < to_s) ratios.push(sum / full_packets);
  }
  return ratios;
}

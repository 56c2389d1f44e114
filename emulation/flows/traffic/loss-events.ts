import type { JoinedPacket } from './joined-packets.ts';

/** Round trips in which packets were lost or marked, and how many flows each had. */
export interface LossEvents {
  readonly rtt_ms: number;
  /** The number of flows of each round trip that had one at all, in order of time. */
  readonly flows: readonly number[];
}

export const isSignal = ({ fate }: Pick<JoinedPacket, 'fate'>): boolean => fate !== 'forwarded';

/**
 * Cuts the time from `from_s` on into round trips, and counts the flows that saw a loss or a mark in each (§5.6). Round
 * trips without any are left out.
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

/** Flows with one round-trip time that share a link: Updating the Theory of Buffer Sizing §4. */
export interface Sharing {
  readonly bdp_packets: number;
  readonly flows: number;
  /** Δ, from 1 on: each window is within this factor of BDP/n (§4.1). */
  readonly fairness: number;
}

/** Flows that may decrease their windows in a round trip while the growth of the others makes up for it (App. C). */
export const coveredLosses = ({ bdp_packets, flows, fairness }: Sharing): number =>
  flows ** 2 / (fairness * bdp_packets);

/**
 * How far below BDP + B the packets in flight can fall, in packets, when so many flows beyond the covered ones decrease
 * their windows (Equation 3); with √n of them, Theorem 5. A buffer of that size keeps the link busy (§4.6, Theorem 6).
 */
export const windowFall = ({ bdp_packets, flows, fairness }: Sharing, lossFlows = Math.sqrt(flows)): number =>
  (lossFlows * fairness * bdp_packets) / flows;

/** The least utilization, 0 to 1 (Equation 3 and Lemma 2); with √n flows that see a loss and no buffer, Theorem 7. */
export function leastUtilizationOfMany(
  sharing: Sharing,
  { buffer_packets = 0, lossFlows }: { readonly buffer_packets?: number; readonly lossFlows?: number } = {},
): number {
  const inFlight = sharing.bdp_packets + buffer_packets - windowFall(sharing, lossFlows);
  return Math.max(0, Math.min(1, inFlight / sharing.bdp_packets));
}

/** Theorem 4, in packets: full utilization but for 2% of the time, if windows are independent and uniform. */
export const uniformWindowsBuffer = ({
  bdp_packets,
  flows,
}: Pick<Sharing, 'bdp_packets' | 'flows'>): number => bdp_packets / Math.sqrt(flows);

/** Theorem 8, in packets: BBR's flows leave the link idle with a probability of at most `idle`, between 0 and 1. */
export const bbrBuffer = ({ bdp_packets, flows, fairness }: Sharing, idle: number): number =>
  ((fairness * bdp_packets) / Math.sqrt(2 * flows)) * Math.sqrt(Math.log(1 / idle));

/** Table 1's p·BDP - n + np, in packets: a share p of the flows, 0 to 1, sees a loss, and the other flows' windows grow by a packet. */
export const shareOfFlowsBuffer = (
  { bdp_packets, flows }: Pick<Sharing, 'bdp_packets' | 'flows'>,
  share: number,
): number => Math.max(0, share * bdp_packets - flows + flows * share);

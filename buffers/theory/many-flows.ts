/** Flows with one round-trip time that share a link: Updating the Theory of Buffer Sizing §4. */
export interface Sharing {
  readonly bdp_packets: number;
  readonly flows: number;
  /** Δ, at least 1: each window is within this factor of BDP/n (§4.1). */
  readonly fairness: number;
}

/**
 * The number of flows that may decrease their windows in a round trip while the growth of the other windows makes up
 * for it (App. C).
 */
export const coveredLosses = ({ bdp_packets, flows, fairness }: Sharing): number =>
  flows ** 2 / (fairness * bdp_packets);

/**
 * Returns how far the packets in flight can fall below BDP + B, in packets, if `lossFlows` flows more than the covered
 * ones decrease their windows (Equation 3). With √n such flows, this is Theorem 5. A buffer of that size keeps the link
 * busy (§4.6, Theorem 6).
 */
export const windowFall = ({ bdp_packets, flows, fairness }: Sharing, lossFlows = Math.sqrt(flows)): number =>
  (lossFlows * fairness * bdp_packets) / flows;

/**
 * Returns the minimum utilization, 0 to 1 (Equation 3 and Lemma 2). With √n flows that see a loss and no buffer, this
 * is Theorem 7.
 */
export function leastUtilizationOfMany(sharing: Sharing, buffer_packets = 0): number {
  const inFlight = sharing.bdp_packets + buffer_packets - windowFall(sharing);
  return Math.max(0, Math.min(1, inFlight / sharing.bdp_packets));
}

/**
 * Returns the buffer of Theorem 4, in packets: the link is fully utilized for 98% of the time if windows are
 * independent and uniformly distributed.
 */
export const uniformWindowsBuffer = ({
  bdp_packets,
  flows,
}: Pick<Sharing, 'bdp_packets' | 'flows'>): number => bdp_packets / Math.sqrt(flows);

/**
 * Returns the buffer of Theorem 8, in packets: with BBR flows, the link is idle with a probability of at most `idle`, 0
 * to 1.
 */
export const bbrBuffer = ({ bdp_packets, flows, fairness }: Sharing, idle: number): number =>
  ((fairness * bdp_packets) / Math.sqrt(2 * flows)) * Math.sqrt(Math.log(1 / idle));

/**
 * Returns the buffer p·BDP - n + np of Table 1, in packets: a share p of the flows, 0 to 1, sees a loss, and each of
 * the other flows' windows grows by one packet.
 */
export const shareOfFlowsBuffer = (
  { bdp_packets, flows }: Pick<Sharing, 'bdp_packets' | 'flows'>,
  share: number,
): number => Math.max(0, share * bdp_packets - flows + flows * share);

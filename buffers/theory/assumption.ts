import type { Algorithm, AlgorithmName } from './algorithm.ts';
import { coveredLosses, type Sharing } from './many-flows.ts';
import { significant } from './significant.ts';

/** What a rule takes for granted, and whether it holds; null where the arguments do not tell. */
export interface Assumption {
  readonly says: string;
  readonly holds: boolean | null;
  readonly because?: string;
}

export const unknown = (says: string): Assumption => ({ says, holds: null });

export const is = ({ name }: Algorithm, wanted: AlgorithmName): Assumption => ({
  says: `the flows are ${wanted}`,
  holds: name === wanted,
  ...(name !== wanted && { because: `they are ${name}` }),
});

/** Theorem 5 is about Reno, and holds for others that decrease by a factor (§4.1). */
export const decreasesByFactor = ({ name, atLoss, factor }: Algorithm): Assumption => ({
  says: 'a loss leaves a fixed share of the window',
  holds: atLoss === 'multiply',
  because: atLoss === 'multiply' ? `b is ${significant(factor)}` : `${name} drains the queue instead`,
});

/** BBR only loses packets, and answers them, while it probes for bandwidth (§3.5). */
export const probesBandwidth: Assumption = unknown('the flows are in the phase that probes for bandwidth');

/** §3.3. */
export const allSameRoundTrip: Assumption = unknown('all flows have the same round trip');

/**
 * Windows of at least α/b packets, where b is what a loss leaves: Reno's 2 (§4.1, which has α/(1-β) for a loss that takes
 * β away). α, the growth in a round trip, is taken to be a packet. Almost fair windows are between BDP/(Δn) and ΔBDP/n.
 */
export function windowsOfAtLeast(
  { factor }: Algorithm,
  { bdp_packets, flows, fairness }: Sharing,
): Assumption {
  const least = 1 / factor;
  const [smallest, largest] = [bdp_packets / (fairness * flows), (fairness * bdp_packets) / flows];
  return {
    says: `windows have ${significant(least)} packets or more`,
    holds: smallest >= least ? true : largest < least ? false : null,
    because: `almost fair ones have ${significant(smallest)} to ${significant(largest)}`,
  };
}

/** Theorem 5: of the flows beyond the covered ones, √n see a loss; `lossFlows` is how many are said to. */
export function fewSeeLoss(sharing: Sharing & { readonly lossFlows: number }): Assumption {
  const { flows, lossFlows } = sharing;
  const most = coveredLosses(sharing) + Math.sqrt(flows);
  const said = Math.min(flows, coveredLosses(sharing) + lossFlows);
  return {
    says: `at most n²/(ΔBDP) + √n = ${significant(most)} flows see a loss at a time`,
    holds: said > most ? false : most >= flows ? true : null,
    ...(said > most && { because: `${significant(said)} are said to` }),
  };
}

import type { Algorithm } from './algorithm.ts';

/** In flight just after a loss, in BDP. Before it, the buffer was full (Assumption 3). */
const inFlight = ({ atLoss, factor }: Algorithm, buffer_bdp: number): number =>
  atLoss === 'multiply' ? factor * (1 + buffer_bdp) : factor + buffer_bdp;

/** The least utilization of a link with one flow, just after a loss, 0 to 1 (Lemma 2 and §3.5). */
export const leastUtilization = (algorithm: Algorithm, buffer_bdp: number): number =>
  Math.min(1, inFlight(algorithm, buffer_bdp));

/** The smallest buffer, in BDP, with which one flow's utilization never falls below `utilization`, 0 to 1 (§3.5). */
export const bufferFor = ({ atLoss, factor }: Algorithm, utilization = 1): number =>
  Math.max(0, atLoss === 'multiply' ? utilization / factor - 1 : utilization - factor);

/**
 * The mean utilization of a link with one Reno flow, 0 to 1, by the same assumptions: its window grows by a packet a round
 * trip, from half of BDP + B to BDP + B; up to a BDP the link carries a window in each of the shortest round trips, and
 * beyond it is busy, for as long as the queue makes the round trip.
 */
export function meanRenoUtilization(buffer_bdp: number): number {
  const full = 1 + buffer_bdp;
  const least = full / 2;
  if (least >= 1) return 1;
  // In BDPs, over the same number of round trips: the area below the window is what is carried.
  const [idleTime, idleCarried] = [1 - least, (1 - least ** 2) / 2];
  const busy = (full ** 2 - 1) / 2;
  return (idleCarried + busy) / (idleTime + busy);
}

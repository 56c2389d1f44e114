import type { Algorithm } from './algorithm.ts';

/** Data in flight just after a loss with a full buffer, in BDP (Updating the Theory of Buffer Sizing, Assumption 3). */
const inFlight = ({ atLoss, factor }: Algorithm, buffer_bdp: number): number =>
  atLoss === 'multiply' ? factor * (1 + buffer_bdp) : factor + buffer_bdp;

/** Returns the minimum utilization of a link with one flow, just after a loss, 0 to 1 (Lemma 2 and §3.5). */
export const leastUtilization = (algorithm: Algorithm, buffer_bdp: number): number =>
  Math.min(1, inFlight(algorithm, buffer_bdp));

/**
 * Returns the smallest buffer, in BDP, with which the utilization of one flow never falls below `utilization`, 0 to 1
 * (§3.5).
 */
export const bufferFor = ({ atLoss, factor }: Algorithm, utilization = 1): number =>
  Math.max(0, atLoss === 'multiply' ? utilization / factor - 1 : utilization - factor);

/**
 * Returns the mean utilization of a link with one Reno flow, 0 to 1, by the same assumptions. The window grows by one
 * packet per round trip, from half of BDP + B to BDP + B. While the window is below the BDP, the link carries one
 * window per minimum round trip. Above the BDP, the link is always busy, and the queue lengthens the round trips.
 */
export function meanRenoUtilization(buffer_bdp: number): number {
  const full = 1 + buffer_bdp;
  const least = full / 2;
  if (least >= 1) return 1;
  // In BDP, over the same number of round trips: the carried data is the area below the window.
  const [idleTime, idleCarried] = [1 - least, (1 - least ** 2) / 2];
  const busy = (full ** 2 - 1) / 2;
  return (idleCarried + busy) / (idleTime + busy);
}

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

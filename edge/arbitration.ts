import { kbps, type Kbps } from '../src/units.ts';
import type { SocketVerdict } from './policy.ts';

/**
 * The one pace of a socket that carries several responses at once, as HTTP/2 does: the sum of their paces.
 * So the socket is never slower than what its responses need together, and each gets at least its own pace
 * as long as the others take no more than theirs. A response without a pace (null: the initial phase, an
 * initialization segment, a page) must not be slowed by the paces of others: while one is under way, the socket
 * is unpaced. To be computed again whenever a response begins, and when the client has received one completely.
 *
 * A server that sees one request of a connection at a time, as VCL does, cannot add up: there the last response to begin
 * sets the socket's pace. So the plug-in adds up what it has under way, and the policy hands that sum on to `edge/vcl`
 * (`connectionPace`), which serves an HTTP/2 connection unpaced without it.
 */
export function arbitrate(paces: readonly (Kbps | null)[]): Kbps | null {
  let sum = 0;
  for (const pace of paces) {
    if (pace === null) return null;
    sum += pace;
  }
  return sum > 0 ? kbps(sum) : null;
}

/** The value of each property of a socket while these responses, the oldest first, are under way on it. */
export const ARBITRATE: {
  readonly [Property in keyof SocketVerdict]: (underWay: readonly SocketVerdict[]) => SocketVerdict[Property];
} = {
  pace: (underWay) => arbitrate(underWay.map(({ pace }) => pace)),
  // An unpaced response, where there is one, decides, as it does for the pace. Of several, the newest decides.
  congestionControl: (underWay) =>
    (underWay.findLast(({ pace }) => pace === null) ?? underWay.at(-1))?.congestionControl ?? null,
  // Together they need the sum; one that does not yield needs its pace.
  floor: (underWay) =>
    underWay.some(({ floor }) => floor !== null)
      ? arbitrate(underWay.map(({ pace, floor }) => floor ?? pace))
      : null,
};

import { kbps, type Kbps } from '../src/units.ts';
import type { SocketVerdict } from './policy.ts';

/**
 * The pace of a socket that carries several responses at once, as HTTP/2 does: the sum of their paces. The socket is then
 * never slower than its responses need together, and each gets at least its own pace as long as the others do not exceed
 * theirs. A response without a pace (null: the initial phase, an initialization segment, a page) must not be slowed by the
 * paces of others, so the socket is unpaced while one is in flight. Recompute the pace whenever a response begins, and when
 * the client has received one completely.
 *
 * A server that sees one request of a connection at a time, as VCL does, cannot add up paces: the last response to begin sets
 * the socket's pace. Therefore the plug-in sends the sum of its paces in flight, and the policy passes that sum to `edge/vcl`
 * (`connectionPace`), which serves an HTTP/2 connection unpaced if the sum is missing.
 */
export function arbitrate(paces: readonly (Kbps | null)[]): Kbps | null {
  let sum = 0;
  for (const pace of paces) {
    if (pace === null) return null;
    sum += pace;
  }
  return sum > 0 ? kbps(sum) : null;
}

/** The value of each socket property while these responses, oldest first, are in flight. */
export const ARBITRATE: {
  readonly [Property in keyof SocketVerdict]: (underWay: readonly SocketVerdict[]) => SocketVerdict[Property];
} = {
  pace: (underWay) => arbitrate(underWay.map(({ pace }) => pace)),
  // An unpaced response takes precedence, as for the pace. Of several responses, the newest counts.
  congestionControl: (underWay) =>
    (underWay.findLast(({ pace }) => pace === null) ?? underWay.at(-1))?.congestionControl ?? null,
  // Together they need the sum. A response that does not yield needs its pace.
  floor: (underWay) =>
    underWay.some(({ floor }) => floor !== null)
      ? arbitrate(underWay.map(({ pace, floor }) => floor ?? pace))
      : null,
};

import { kbps, type Kbps } from '../src/units.ts';
import type { SocketVerdict } from './policy.ts';

/**
 * Returns the pace of a socket that several responses share, as with HTTP/2: the sum of their paces. The socket is then
 * never slower than its responses need together, and each response gets at least its own pace, unless another response
 * exceeds its share. A response without a pace (null: in the initial phase, an initialization segment, or a page) must
 * not be slowed by the paces of others, so the socket is unpaced while such a response is in flight. Recompute the pace
 * when a response begins, and when the client has completely received a response.
 *
 * VCL sees only one request of a connection at a time, so it cannot add up paces: the latest response sets the socket's
 * pace. Therefore the plug-in sends the sum of its paces in flight, and the policy passes this sum to `edge/vcl`
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

/**
 * For each socket property, a function that returns the property's value while the given responses are in flight. The
 * oldest response comes first.
 */
export const ARBITRATE: {
  readonly [Property in keyof SocketVerdict]: (underWay: readonly SocketVerdict[]) => SocketVerdict[Property];
} = {
  pace: (underWay) => arbitrate(underWay.map(({ pace }) => pace)),
  // The newest unpaced response determines the congestion control or, if all are paced, the newest response.
  congestionControl: (underWay) =>
    (underWay.findLast(({ pace }) => pace === null) ?? underWay.at(-1))?.congestionControl ?? null,
  // The sum of the floors. A response without a floor does not yield, so its pace is used instead.
  floor: (underWay) =>
    underWay.some(({ floor }) => floor !== null)
      ? arbitrate(underWay.map(({ pace, floor }) => floor ?? pace))
      : null,
};

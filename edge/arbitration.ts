import { kbps, type Kbps } from '../src/units.ts';
import type { SocketVerdict } from './policy.ts';

/**
 * The one pace of a socket that carries several responses at once, as HTTP/2 does: the sum of their paces.
 * So the socket is never slower than what its responses need together, and each gets at least its own pace
 * as long as the others take no more than theirs. A response without a pace (null: the initial phase, an
 * initialization segment, a page) must not wait for anybody's pace: while one is under way, neither does the
 * socket. Ask again whenever a response begins, and when the client has one whole.
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

/** What a socket has of each property while these responses are under way on it, the oldest first. */
export const ARBITRATE: {
  readonly [Property in keyof SocketVerdict]: (underWay: readonly SocketVerdict[]) => SocketVerdict[Property];
} = {
  pace: (underWay) => arbitrate(underWay.map(({ pace }) => pace)),
  // That of the responses which decide the pace: of the unpaced, where there are any. Of several, the newest's.
  congestionControl: (underWay) =>
    (underWay.findLast(({ pace }) => pace === null) ?? underWay.at(-1))?.congestionControl ?? null,
};

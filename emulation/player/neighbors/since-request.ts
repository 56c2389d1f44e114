import { monotonic_ms } from '../../ground/clock/monotonic.ts';
import type { NeighborContext, NeighborSession } from './neighbor.ts';

/** Converts times of `monotonic_ms` to s since the session's request for playback. */
export function sinceRequest(
  { now }: Pick<NeighborContext, 'now'>,
  { requestedAt_ms }: Pick<NeighborSession, 'requestedAt_ms'>,
): (at_ms: number) => number {
  const requested = requestedAt_ms - now() + monotonic_ms();
  return (at_ms) => (at_ms - requested) / 1000;
}

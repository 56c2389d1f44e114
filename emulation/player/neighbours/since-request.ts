import { monotonic_ms } from '../../ground/clock/monotonic.ts';
import type { NeighbourContext, NeighbourSession } from './neighbour.ts';

/** Turns times of `monotonic_ms` into s since the session's request for playback. */
export function sinceRequest(
  { now }: Pick<NeighbourContext, 'now'>,
  { requestedAt_ms }: Pick<NeighbourSession, 'requestedAt_ms'>,
): (at_ms: number) => number {
  const requested = requestedAt_ms - now() + monotonic_ms();
  return (at_ms) => (at_ms - requested) / 1000;
}

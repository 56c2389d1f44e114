import type { NeighbourContext, NeighbourSession } from './neighbour.ts';

/**
 * ms of CLOCK_MONOTONIC, which every process of the machine reads alike, in whatever namespace; it is what one-way
 * delays are measured with. `performance.timeOrigin` would do less well: each process reads it off the wall clock,
 * which may be set or slewed between two starts.
 */
export const monotonic_ms = (): number => Number(process.hrtime.bigint()) / 1e6;

/** Turns such times into s since the request for playback. */
export function sinceRequest(
  { now }: Pick<NeighbourContext, 'now'>,
  { requestedAt_ms }: Pick<NeighbourSession, 'requestedAt_ms'>,
): (at_ms: number) => number {
  const requested = requestedAt_ms - now() + monotonic_ms();
  return (at_ms) => (at_ms - requested) / 1000;
}

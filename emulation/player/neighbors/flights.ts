import type { Flight } from './neighbor.ts';

/** Sorts flights, and merges those that overlap or touch. */
export function mergeFlights(flights: readonly Flight[]): Flight[] {
  const merged: { from_s: number; to_s: number }[] = [];
  for (const { from_s, to_s } of flights.toSorted((a, b) => a.from_s - b.from_s)) {
    const last = merged.at(-1);
    if (last && from_s <= last.to_s) last.to_s = Math.max(last.to_s, to_s);
    else merged.push({ from_s, to_s });
  }
  return merged;
}

/**
 * The time within a span in which at least one chunk was in flight, s. The flights must not overlap (see
 * `mergeFlights`).
 */
export const inFlight_s = (from_s: number, to_s: number, merged: readonly Flight[]): number =>
  merged.reduce(
    (sum, flight) => sum + Math.max(0, Math.min(to_s, flight.to_s) - Math.max(from_s, flight.from_s)),
    0,
  );

/** Whether a chunk was in flight at a moment. */
export const isInFlight = (at_s: number, flights: readonly Flight[]): boolean =>
  flights.some(({ from_s, to_s }) => from_s <= at_s && at_s < to_s);

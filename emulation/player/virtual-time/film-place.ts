import { seededRandom } from '../../ground/statistics/random.ts';
import type { QualitySidecar } from '../../../media/sidecar.ts';

/**
 * The index of the segment at which run `k` (from 1) begins: virtual time has no chance of its own, and runs that begin at
 * one place on a link without loss would all be the same one. The first begins with the film, as the lab's do, the others
 * each somewhere else, in an order by the seed; all arms alike, so that they are compared at the same places. A film has
 * only so many places: of more runs, some are the same again.
 */
export function firstSegment(k: number, segments: number, seed: number): number {
  const random = seededRandom(seed);
  const places = Array.from({ length: segments - 1 }, (_, index) => ({ index: index + 1, at: random() }));
  const order = [0, ...places.sort((a, b) => a.at - b.at).map(({ index }) => index)];
  return order[(k - 1) % segments] ?? 0;
}

/** Where in the film a segment begins, s. */
export const secondsBefore = ({ segment_duration_s }: QualitySidecar, segment: number): number =>
  segment_duration_s.slice(0, segment).reduce((sum, each) => sum + each, 0);

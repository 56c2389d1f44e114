import { seededRandom } from '../../ground/statistics/random.ts';
import type { QualitySidecar } from '../../../media/sidecar.ts';

/**
 * The index of the segment at which run `k` (from 1) begins. Virtual time is deterministic, so on a link without loss,
 * runs that begin at the same position would be identical. The first run begins at the video's start, as in real time;
 * later runs begin at different positions, in an order that depends on the seed. All arms use the same positions, so
 * that they are comparable. When all segments of the video have been used, the positions repeat.
 */
export function firstSegment(k: number, segments: number, seed: number): number {
  const random = seededRandom(seed);
  const places = Array.from({ length: segments - 1 }, (_, index) => ({ index: index + 1, at: random() }));
  const order = [0, ...places.sort((a, b) => a.at - b.at).map(({ index }) => index)];
  return order[(k - 1) % segments] ?? 0;
}

/** The position in the video at which a segment begins, s. */
export const secondsBefore = ({ segment_duration_s }: QualitySidecar, segment: number): number =>
  segment_duration_s.slice(0, segment).reduce((sum, each) => sum + each, 0);

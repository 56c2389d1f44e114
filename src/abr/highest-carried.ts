import type { Rung } from '../film/ladder.ts';
import type { AbrState } from './abr.ts';

/** The highest rung whose bitrate is within `share` of the throughput, or the lowest rung. Ignores the buffer level. */
export const highestCarried = (
  { ladder, throughput, playbackRate }: Pick<AbrState, 'ladder' | 'throughput' | 'playbackRate'>,
  share: number,
): Rung =>
  ladder.findLast(({ bitrate_kbps }) => bitrate_kbps * playbackRate <= share * throughput) ?? ladder[0];

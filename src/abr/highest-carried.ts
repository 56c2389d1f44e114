import type { Rung } from '../film/ladder.ts';
import type { AbrState } from './abr.ts';

/** The highest rung whose bitrate `share` of the throughput reaches, whatever is buffered; or the lowest. */
export const highestCarried = (
  { ladder, throughput, playbackRate }: Pick<AbrState, 'ladder' | 'throughput' | 'playbackRate'>,
  share: number,
): Rung =>
  ladder.findLast(({ bitrate_kbps }) => bitrate_kbps * playbackRate <= share * throughput) ?? ladder[0];

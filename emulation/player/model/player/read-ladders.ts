import type { QualitySidecar } from '../../../../media/sidecar.ts';
import { makeLadder, type Ladder } from '../../../../src/film/ladder.ts';
import type { MediaType } from '../../../../src/film/media-type.ts';
import type { Film } from './film.ts';

/**
 * Reads the bitrate ladders from the sidecar of a video that `npm run media` made. Throws an Error if there is no video
 * track.
 */
export function readLadders({ representations }: Pick<QualitySidecar, 'representations'>): Film['ladders'] {
  const readLadder = (type: MediaType): Ladder | undefined =>
    makeLadder(
      Object.entries(representations)
        .filter(([, { media }]) => media === type)
        .map(([id, { bitrate_kbps }]) => ({ id, bandwidth: bitrate_kbps * 1000 })),
    );
  const [video, audio] = [readLadder('video'), readLadder('audio')];
  if (!video) throw new Error('the content has no video track');
  return { video, ...(audio && { audio }) };
}

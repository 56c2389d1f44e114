import type { QualitySidecar } from '../../../../media/sidecar.ts';
import { makeLadder, type Ladder } from '../../../../src/film/ladder.ts';
import type { MediaType } from '../../../../src/film/media-type.ts';
import type { Film } from './film.ts';

/** The ladders of a film that `npm run media` has made, by its sidecar. Throws an Error if there is no video. */
export function laddersOf({ representations }: Pick<QualitySidecar, 'representations'>): Film['ladders'] {
  const ladderOf = (type: MediaType): Ladder | undefined =>
    makeLadder(
      Object.entries(representations)
        .filter(([, { media }]) => media === type)
        .map(([id, { bitrate_kbps }]) => ({ id, bandwidth: bitrate_kbps * 1000 })),
    );
  const [video, audio] = [ladderOf('video'), ladderOf('audio')];
  if (!video) throw new Error('the film has no video');
  return { video, ...(audio && { audio }) };
}

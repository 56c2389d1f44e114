import { BITRATES_KBPS, ladder, SEGMENT_S } from '../../../../src/testing/session.ts';
import type { Film } from '../player/film.ts';

/** The sizes of successive segments relative to their rung's bitrate, with a mean of 1. */
const VBR = [1, 0.7, 1.3, 1.5, 0.8, 0.7];

/** A video of this length, with scenes of different bitrates. */
export function vbrFilm(content_s: number, segment_s = SEGMENT_S): Film {
  const segments = Array.from({ length: content_s / segment_s }, (_, index) => VBR[index % VBR.length] ?? 1);
  const segmentSizes = (bitrate_kbps: number) =>
    segments.map((weight) => Math.round(((bitrate_kbps * 1000) / 8) * segment_s * weight));
  return {
    ladders: { video: ladder },
    sidecar: {
      version: 1,
      segment_duration_s: segments.map(() => segment_s),
      representations: Object.fromEntries(
        BITRATES_KBPS.map((bitrate) => [`${bitrate}`, { segment_bytes: segmentSizes(bitrate) }]),
      ),
    },
  };
}

import { createLadder, SEGMENT_S } from '../../../../src/testing/session.ts';
import { seededRandom } from '../../../ground/statistics/random.ts';
import type { Film } from '../player/film.ts';

const BITRATES_KBPS = [300, 700, 1300, 2100, 3300];

/** More than five minutes of scenes with varying bitrate and quality. */
export function scenesFilm(): Film {
  const random = seededRandom(14);
  let scene = 0;
  const weights = Array.from({ length: 170 }, () => {
    scene = 0.7 * scene + 0.5 * (random() - 0.5);
    return Math.exp(scene);
  });
  const representations = Object.fromEntries(
    BITRATES_KBPS.map((rate) => [
      `${rate}`,
      {
        segment_bytes: weights.map((weight) => Math.round(rate * 125 * SEGMENT_S * weight)),
        segment_ssim_db: weights.map((weight) => 12 + 4 * Math.log(rate / 300) - 3 * Math.log(weight)),
      },
    ]),
  );
  return {
    sidecar: { version: 1, segment_duration_s: weights.map(() => SEGMENT_S), representations },
    ladders: { video: createLadder(BITRATES_KBPS) },
  };
}

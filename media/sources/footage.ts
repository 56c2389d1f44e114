import { bunnySource, ensureBunny } from './bunny.ts';
import { cachedLadder, findLadder, type Content } from '../cached-ladder.ts';
import { FILM_LADDER, SYNTHETIC_LADDER, TEST_LADDER } from '../ladder.ts';
import { progressPrinter, type OnProgress } from '../../system/progress.ts';
import { syntheticSource } from './synthetic-source.ts';

export interface FootageOptions {
  readonly onProgress?: OnProgress;
}

/** A synthetic replacement for the default video, by default one minute, about as long as the real footage. */
export const syntheticFilm = (seconds = 60): ReturnType<typeof syntheticSource> =>
  syntheticSource({ seconds, width: 1280, height: 720, grain: 6 });

/** A video of small frames with grain, which is encoded in seconds, at the same bitrates. */
export const smallFilm = (seconds = 24): ReturnType<typeof syntheticSource> =>
  syntheticSource({ seconds, width: 320, height: 180, grain: 24 });

/**
 * Returns the demo's video, from the cache or encoded now (about a minute on two cores). It is real footage or, if that
 * is unavailable, a synthetic video; the reason is then printed on stderr.
 */
export async function ensureDefaultContent(options: FootageOptions = {}): Promise<Content> {
  return withProgress(options, async (onProgress) => {
    const bunny = bunnySource();
    const cached = await findLadder('big-buck-bunny', bunny, FILM_LADDER);
    if (cached) return cached;
    try {
      await ensureBunny(onProgress);
    } catch (error) {
      onProgress({
        task: `Using a synthetic video, because real footage cannot be downloaded: ${(error as Error).message}`,
        lasting: true,
      });
      return cachedLadder('synthetic', syntheticFilm(), SYNTHETIC_LADDER, onProgress);
    }
    return cachedLadder('big-buck-bunny', bunny, FILM_LADDER, onProgress);
  });
}

/** Returns the video of the tests: 24 s, with audio. */
export const ensureTestContent = (options: FootageOptions = {}): Promise<Content> =>
  withProgress(options, (onProgress) => cachedLadder('test', smallFilm(), TEST_LADDER, onProgress));

async function withProgress<T>(
  { onProgress }: FootageOptions,
  work: (onProgress: OnProgress) => Promise<T>,
): Promise<T> {
  if (onProgress) return work(onProgress);
  const print = progressPrinter();
  return work(print).finally(() => print.end());
}

import { setTimeout as sleep } from 'node:timers/promises';
import { lineOf } from '../../edge/local/start-errors.ts';
import type { Neighbour } from './neighbour.ts';
import { playVideo, type VideoStart } from './video-page.ts';
import { videoResult } from './video-result.ts';

/** After the start of playback: "a few seconds" (Sammy §6). */
const FIRST_AFTER_S = 5;
/** From one start to the next. The paper has one start in each of four trials. */
const EVERY_S = 10;
const PLAYED_S = 4;
/** A link on which a film takes longer to start is not one for this neighbour. */
const PATIENCE_S = 30;

/**
 * Each session has a page of its own, loaded as soon as the one before has ended, so that neither a cache nor an open
 * connection helps it, and the page's own way over the link is over before its video is asked for.
 */
export const video: Neighbour = {
  name: 'video',
  about: `stock dash.js, started anew every ${EVERY_S} s from ${FIRST_AFTER_S} s after the start of playback on (Sammy §6, Figure 8d)`,
  async start(context) {
    const { manifestUrl, videoPageUrl } = context;
    const starts: VideoStart[] = [];
    const over = new AbortController();
    let failure: unknown = null;
    let page = await context.openPage(videoPageUrl);

    const playAgainAndAgain = async (): Promise<void> => {
      let due = context.now() + FIRST_AFTER_S * 1000;
      while (true) {
        await sleep(due - context.now(), undefined, { signal: over.signal });
        starts.push(
          await page.evaluate(playVideo, { manifestUrl, seconds: PLAYED_S, patience_s: PATIENCE_S }),
        );
        await page.context().close();
        page = await context.openPage(videoPageUrl);
        due = Math.max(due + EVERY_S * 1000, context.now());
      }
    };
    let sessions = Promise.resolve();
    const close = async (): Promise<void> => {
      over.abort();
      // Twice: the first ends a session that is under way, the second a page that was just being opened.
      await page.context().close();
      await sessions;
      await page.context().close();
    };
    return {
      playing() {
        sessions = playAgainAndAgain().catch((error: unknown) => {
          if (!over.signal.aborted) failure = error;
        });
      },
      async finish(session) {
        await close();
        if (failure !== null) throw new Error(`the video neighbour failed: ${lineOf(failure)}`);
        return videoResult(starts, session);
      },
      close,
    };
  },
};

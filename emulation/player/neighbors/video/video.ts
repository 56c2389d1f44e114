import { setTimeout as sleep } from 'node:timers/promises';
import { errorLine } from '../../../../system/error-line.ts';
import { defineNeighbor, type NeighborContext, type RunningNeighbor } from '../neighbor.ts';
import { playVideo, type VideoStart } from './video-page.ts';
import { videoResult, type VideoMetric } from './video-result.ts';
import { startAfter_s, VIDEO_TIMING, type VideoTiming } from './video-timing.ts';

/**
 * The longest time for a video to start. If it takes longer, the run fails, because the link is too slow for this
 * neighbor.
 */
const PATIENCE_S = 30;

export const video = defineNeighbor({
  name: 'video',
  about: `stock dash.js, started anew every ${VIDEO_TIMING.every_s} s on average from ${VIDEO_TIMING.firstAfter_s} s after the start of playback on (Sammy §6, Figure 8d)`,
  metrics: {
    neighbor_play_delay_ms: { unit: 'ms', better: 'lower', label: 'video neighbor: play delay, mean' },
    neighbor_play_delay_inflight_ms: {
      unit: 'ms',
      better: 'lower',
      label: 'video neighbor: the same, chunk in flight',
    },
  },
  bars: {
    title: 'Video neighbor: play delay',
    whole: 'neighbor_play_delay_ms',
    inFlight: 'neighbor_play_delay_inflight_ms',
    paper: { change_pct: -4, reference: '§6, Fig. 8d', note: '50 ms less' },
  },
  start: (context) => startVideos(context, VIDEO_TIMING),
});

/**
 * Starts the videos. Each video has a new page, loaded as soon as the previous video has ended. Thus no video profits
 * from a cache or an open connection, and its page is complete before the video is requested.
 */
export async function startVideos(
  context: NeighborContext,
  timing: VideoTiming,
): Promise<RunningNeighbor<VideoMetric>> {
  const { manifestUrl, videoPageUrl } = context;
  const starts: VideoStart[] = [];
  const over = new AbortController();
  let failure: unknown = null;
  let page = await context.openPage(videoPageUrl);

  const playAgainAndAgain = async (): Promise<void> => {
    const playback_ms = context.now();
    while (true) {
      const due_ms = playback_ms + 1000 * startAfter_s(timing, starts.length);
      await sleep(Math.max(0, due_ms - context.now()), undefined, { signal: over.signal });
      starts.push(await page.evaluate(playVideo, { manifestUrl, patience_s: PATIENCE_S }));
      await sleep(timing.played_s * 1000, undefined, { signal: over.signal });
      await page.context().close();
      page = await context.openPage(videoPageUrl);
    }
  };
  let sessions = Promise.resolve();
  const close = async (): Promise<void> => {
    over.abort();
    // The first close ends a session in progress; the second closes a page that was just being opened.
    await page.context().close();
    await sessions;
    await page.context().close();
  };
  return {
    playbackStarted() {
      sessions = playAgainAndAgain().catch((error: unknown) => {
        if (!over.signal.aborted) failure = error;
      });
    },
    async finish(session) {
      await close();
      if (failure !== null) throw new Error(`the video neighbor failed: ${errorLine(failure)}`);
      return videoResult(starts, session);
    },
    close,
  };
}

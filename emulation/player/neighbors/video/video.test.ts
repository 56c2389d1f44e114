import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { expect, it } from 'vitest';
import type { NeighborContext } from '../neighbor.ts';
import { startVideos } from './video.ts';
import { startAfter_s, VIDEO_TIMING } from './video-timing.ts';

const now = () => performance.timeOrigin + performance.now();

/** Simulates a browser whose pages play for 10 ms after a play delay of 7 ms, or fail if `broken`. */
function browser({ broken = false } = {}): NeighborContext & { opened: number; open: number } {
  const browser = {
    opened: 0,
    open: 0,
    outsideHost: '',
    startInside: () => {
      throw new Error('a video needs no program inside');
    },
    openPage(): Promise<Page> {
      browser.opened += 1;
      browser.open += 1;
      const closing = new AbortController();
      const page = {
        async evaluate() {
          if (broken) throw new Error('page.evaluate: the page crashed\nCall log: none');
          const requested_ms = now();
          await sleep(10, undefined, { signal: closing.signal });
          return { requested_ms, play_delay_ms: 7 };
        },
        context: () => ({
          close() {
            if (!closing.signal.aborted) browser.open -= 1;
            closing.abort();
            return Promise.resolve();
          },
        }),
      };
      return Promise.resolve(page as unknown as Page);
    },
    videoPageUrl: 'http://100.64.0.1/index.html',
    manifestUrl: 'http://100.64.0.1/film/manifest.mpd',
    now,
  };
  return browser;
}

const session = (requestedAt_ms: number) => ({
  requestedAt_ms,
  seconds: 10,
  flights: [{ from_s: 0, to_s: 10 }],
});

it('plays the video repeatedly, each time in a new page, and closes all pages', async () => {
  const inside = browser();
  const requestedAt_ms = now();
  const neighbor = await startVideos(inside, {
    firstAfter_s: 0.05,
    every_s: 0.1,
    spread_s: 0,
    played_s: 0.01,
  });
  expect(inside.opened).toBe(1);
  neighbor.playbackStarted();
  // One page is opened at the start, and one after each session.
  await expect.poll(() => inside.opened, { interval: 5 }).toBeGreaterThanOrEqual(3);
  const { metrics, csv } = await neighbor.finish(session(requestedAt_ms));
  expect(metrics).toEqual({ neighbor_play_delay_ms: 7, neighbor_play_delay_inflight_ms: 7 });
  const starts = csv.slice(1).map(([t_s]) => Number(t_s));
  expect(starts.length).toBeGreaterThanOrEqual(2);
  starts.forEach((t_s, index) => expect(t_s).toBeGreaterThan(0.04 + index * 0.1));
  expect(inside.opened).toBeGreaterThanOrEqual(starts.length);
  expect(inside.open).toBe(0);
  await neighbor.close();
});

it('omits a playback that the end interrupts', async () => {
  const inside = browser();
  const neighbor = await startVideos(inside, { firstAfter_s: 0, every_s: 1, spread_s: 0, played_s: 0.01 });
  neighbor.playbackStarted();
  await sleep(5);
  const { metrics } = await neighbor.finish(session(now()));
  expect(metrics).toEqual({ neighbor_play_delay_ms: null, neighbor_play_delay_inflight_ms: null });
  expect(inside.open).toBe(0);
});

it('reports in one line how its page failed', async () => {
  const inside = browser({ broken: true });
  const neighbor = await startVideos(inside, { firstAfter_s: 0, every_s: 1, spread_s: 0, played_s: 0.01 });
  neighbor.playbackStarted();
  await sleep(20);
  await expect(neighbor.finish(session(now()))).rejects.toThrow(
    /^the video neighbor failed: page\.evaluate: the page crashed$/,
  );
  expect(inside.open).toBe(0);
});

// 300 s have 30 starts. At a fixed interval of 10 s, they would meet only one or two phases of the download cycle.
it.each([1, 2, 4])('meets each quarter of a download cycle of %i s', (cycle_s) => {
  const quarters = [0, 0, 0, 0];
  for (let index = 0; index < 30; index++) {
    const quarter = Math.floor((4 * (startAfter_s(VIDEO_TIMING, index) % cycle_s)) / cycle_s);
    quarters[quarter] = (quarters[quarter] ?? 0) + 1;
  }
  for (const starts of quarters) {
    expect(starts).toBeGreaterThanOrEqual(5);
    expect(starts).toBeLessThanOrEqual(10);
  }
});

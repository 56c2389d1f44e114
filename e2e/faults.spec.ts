import type { Page } from '@playwright/test';
import { directoryOrigin } from '../edge/local/directory-origin.ts';
import { ensureTestContent } from '../media/sources/footage.ts';
import {
  decisions,
  expect,
  nothingThrown,
  pacedSegments,
  play,
  playhead,
  shortBuffer,
  STEADY,
  summary,
  test,
} from './support/fixtures.ts';
import { outlivesARestartOfTheEdge, outlivesFailedSegments } from './support/scenarios.ts';

/**
 * Settings with more attempts. By default, dash.js gives up after three attempts at intervals of one second, but the
 * outage here is longer.
 */
const PATIENT = { streaming: { buffer: shortBuffer('5', 4), retryAttempts: { MediaSegment: 20 } } };

for (const status of [404, 503]) {
  test(`after a ${status} for a segment, it is requested again and playback continues`, async ({
    page,
    edge,
  }) => {
    await outlivesFailedSegments(page, edge, status);
  });
}

for (const version of ['5', '4'] as const) {
  test(`dash.js ${version}: segments without Content-Length are measured too`, async ({ page, edge }) => {
    const film = await directoryOrigin((await ensureTestContent()).directory);
    edge.fault = async (url) => {
      if (!/\/\d+\.m4s$/.test(url.pathname)) return undefined;
      const { body } = await film(new Request(new URL(url.pathname.replace('/content', ''), url)));
      return new Response(body);
    };
    await play(page, edge, { version, format: 'umd', options: STEADY });
    const ended = (await pacedSegments(page, 4)).filter(({ outcome }) => outcome === 'completed');
    expect(ended.map(({ size_bytes }) => size_bytes)).not.toContain(0);
    // Loopback is fast enough for any rung, which Sammy can only know from these measurements.
    expect(Math.max(...ended.map(({ bitrate_kbps }) => bitrate_kbps))).toBe(3300);
    await nothingThrown(page);
  });
}

test('when the edge is restarted, playback continues, paced', async ({ page }) => {
  await outlivesARestartOfTheEdge(page);
});

/** Whether the video has stood still for a second, with less in its buffer than it needs to continue. */
const isStalled = (page: Page): Promise<boolean> =>
  page.evaluate(async () => {
    const video = document.querySelector('video');
    const before_s = video?.currentTime;
    await new Promise((resolve) => setTimeout(resolve, 1000));
    const { currentTime = 0, buffered } = video ?? {};
    const ahead_s = buffered?.length ? buffered.end(buffered.length - 1) - currentTime : 0;
    return currentTime === before_s && ahead_s < 1;
  });

test('a network outage that outlasts the buffer causes one stall and an unpaced recovery, then pacing again', async ({
  page,
  edge,
}) => {
  await play(page, edge, { dash: PATIENT, options: { ...STEADY, safe_buffer_s: 2 } });
  const mark = (await pacedSegments(page, 2)).length;
  // The network neither refuses nor answers requests, as if a radio link were lost. Buffer level and data in flight are
  // random at that time, so the outage ends when playback has stalled, not after a fixed time.
  let end: (answer: undefined) => void = () => undefined;
  const outage = new Promise<undefined>((resolve) => (end = resolve));
  edge.fault = () => outage;
  const at = await page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);
  await expect.poll(() => isStalled(page), { timeout: 30_000 }).toBe(true);
  end(undefined);
  await playhead(page, at + 8);
  const { rebuffer_count, rebuffer_ratio } = await summary(page);
  expect(rebuffer_count).toBe(1);
  expect(rebuffer_ratio).toBeGreaterThan(0);
  // Skip decisions before the outage: the replacement of the first segment can also be in the recovery phase.
  const all = (await decisions(page)).slice(mark);
  const recovery = all.findIndex(({ phase }) => phase === 'recovery');
  expect(recovery).toBeGreaterThanOrEqual(0);
  expect(all[recovery]?.requested_kbps).toBeNull();
  await expect
    .poll(async () =>
      (await decisions(page))
        .slice(mark + recovery)
        .some(({ phase, requested_kbps }) => phase === 'playing' && requested_kbps !== null),
    )
    .toBe(true);
  await nothingThrown(page);
});

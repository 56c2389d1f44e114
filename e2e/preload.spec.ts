import {
  decisions,
  expect,
  nothingThrown,
  playhead,
  shortBuffer,
  summary,
  test,
} from './support/fixtures.ts';

/**
 * Simulates a page that shows an advertisement first: it pauses the video that dash.js has started until
 * `window.shown`.
 */
const pausedByThePage = () => {
  document.addEventListener(
    'play',
    ({ target }) => {
      if (!('shown' in window)) (target as HTMLVideoElement).pause();
    },
    true,
  );
};

for (const [version, autoplay] of [
  ['5', false],
  ['4', false],
  ['5', true],
  ['4', true],
] as const) {
  const waits = autoplay ? 'paused by the page before the first frame' : 'without autoplay';
  test(`dash.js ${version}, ${waits}: 4 s are downloaded unpaced for a fast start, and the rest paced`, async ({
    page,
    edge,
  }) => {
    const query = new URLSearchParams({
      version,
      format: 'umd',
      autoplay: `${autoplay}`,
      mpd: `${edge.url}/content/manifest.mpd`,
      dash: JSON.stringify({ streaming: { buffer: shortBuffer(version, 16) } }),
    });
    if (autoplay) await page.addInitScript(pausedByThePage);
    await page.goto(`${edge.url}/player.html?${query}`);
    const video = async () => (await decisions(page)).filter(({ media_type }) => media_type === 'video');
    const preloaded = async () => (await video()).filter(({ phase }) => phase === 'preload');
    await expect.poll(async () => (await preloaded()).length).toBeGreaterThanOrEqual(2);

    expect(await page.evaluate(() => window.sammy.phase)).toBe('preload');
    const before = await video();
    const first = before.findIndex(({ phase }) => phase === 'preload');
    expect(before[first]?.buffer_s).toBeGreaterThanOrEqual(4);
    for (const [index, { phase, requested_kbps, applied_kbps }] of before.entries()) {
      expect(phase).toBe(index < first ? 'initial' : 'preload');
      expect(requested_kbps === null).toBe(phase === 'initial');
      expect(applied_kbps).toBe(requested_kbps);
    }

    const { waited_ms, rebuffers } = await page.evaluate(async () => {
      const waited_ms = performance.now();
      Object.assign(window, { shown: true });
      await document.querySelector('video')?.play();
      return { waited_ms, rebuffers: window.sammy.summary.rebuffer_count };
    });
    await playhead(page, 2);
    expect(await page.evaluate(() => window.sammy.phase)).toBe('playing');
    // The play delay starts when the viewer asks to play, not when the page is opened.
    expect((await summary(page)).play_delay_ms).toBeLessThan(waited_ms);
    // The viewer's own delay does not count as a rebuffer.
    expect(rebuffers).toBe(0);
    await nothingThrown(page);
  });
}

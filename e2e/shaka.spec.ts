import {
  decisions,
  expect,
  isPacedVideo,
  noPaceStalls,
  nothingThrown,
  pacedSegments,
  playhead,
  STEADY,
  test,
  type DrivenPage,
} from './support/fixtures.ts';
import { selectSegments, type TestEdge } from './support/test-edge.ts';

const SETTINGS = { streaming: { bufferingGoal: 6 } };

async function play(
  page: DrivenPage,
  { url }: TestEdge,
  settings: object = {},
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const query = new URLSearchParams({
    player: 'shaka5',
    settings: JSON.stringify({ ...SETTINGS, ...settings }),
    options: JSON.stringify(STEADY),
    ...more,
  });
  await page.goto(`${url}/contract.html?${query}`);
  await playhead(page, 0.2);
}

for (const [version, useHeaders] of [
  [1, false],
  [2, true],
] as const)
  test(`the rtp of Shaka's own CMCD ${version} by ${useHeaders ? 'header' : 'query'} is replaced, and its other keys stay`, async ({
    page,
    edge,
  }) => {
    const sent: string[] = [];
    page.on('request', async (request) => {
      if (!request.url().includes('.m4s')) return;
      const { 'cmcd-status': status = '', 'cmcd-request': asked = '' } = await request.allHeaders();
      sent.push(`${decodeURIComponent(request.url())} ${status},${asked}`);
    });
    await play(page, edge, { cmcd: { enabled: true, version, useHeaders, contentId: 'of the application' } });
    await pacedSegments(page, 3);
    const asked = selectSegments(edge.responses).filter(({ asked_kbps }) => asked_kbps !== null);
    const all = await decisions(page);
    for (const { asked_kbps } of asked)
      expect(all.map(({ requested_kbps }) => Math.ceil((requested_kbps ?? 0) / 100) * 100)).toContain(
        asked_kbps,
      );
    const paced = sent.filter((each) => each.includes('io.github.dashjs-sammy'));
    expect(paced.length).toBeGreaterThan(2);
    for (const each of paced) {
      expect(each.match(/\brtp=/g)).toHaveLength(1);
      expect(each).toMatch(/\bbl=/);
    }
    const unpaced = sent.filter((each) => !paced.includes(each));
    for (const each of unpaced) expect(each).not.toMatch(/\brtp=/);
    await nothingThrown(page);
  });

test('HLS: the rungs, audio and paces are those of its playlists', async ({ page, edge }) => {
  await play(page, edge, {}, { manifest: 'master.m3u8' });
  const paced = (await pacedSegments(page, 3)).filter(isPacedVideo);
  expect(paced.map(({ applied_kbps }) => applied_kbps)).toEqual(
    paced.map(({ requested_kbps }) => requested_kbps),
  );
  const all = await decisions(page);
  expect(new Set(all.map(({ media_type }) => media_type))).toEqual(new Set(['video', 'audio']));
  expect(Math.max(...paced.map(({ bitrate_kbps }) => bitrate_kbps))).toBe(
    Math.max(...paced.map(({ top_bitrate_kbps }) => top_bitrate_kbps)),
  );
  await noPaceStalls(page);
  await nothingThrown(page);
});

test('attached to a player that plays, it chooses the rungs of the source that is loaded', async ({
  page,
  edge,
}) => {
  await play(page, edge, {}, { attach: 'false' });
  await page.evaluate(() => window.attach());
  // One segment may have been under way.
  await pacedSegments(page, 2);
  expect((await decisions(page)).at(-1)?.abr_reason).not.toBe('player');
  await page.evaluate(() => window.sammy.update({ max_bitrate_kbps: 800 }));
  await expect
    .poll(
      async () => (await decisions(page)).findLast(({ media_type }) => media_type === 'video')?.bitrate_kbps,
    )
    .toBeLessThanOrEqual(800);
  await noPaceStalls(page);
  await nothingThrown(page);
});

test('a response to rtp that is a page of text is requested again, and does not end playback', async ({
  page,
  edge,
}) => {
  await page.route(/rtp%3D/, (route) => route.fulfill({ contentType: 'text/html', body: '<p>blocked</p>' }));
  await play(page, edge);
  await expect.poll(() => page.evaluate(() => window.warnings)).toEqual(['rtp-refused']);
  const at_s = await page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);
  await playhead(page, at_s + 4);
  expect(await page.evaluate(() => [window.failures, window.playerErrors])).toEqual([[], []]);
});

test('an unload ends the session, and a preloaded source is another', async ({ page, edge }) => {
  await play(page, edge);
  await pacedSegments(page, 1);
  await page.evaluate(async () => {
    const player = window.contract.player as {
      unload(): Promise<void>;
      preload(url: string): Promise<object>;
      load(source: object): Promise<void>;
    };
    const next = await player.preload('/content/manifest.mpd');
    await player.unload();
    await player.load(next);
    await document.querySelector('video')?.play();
  });
  await expect.poll(() => page.evaluate(() => window.summaries.length)).toBe(1);
  const [first] = await pacedSegments(page, 1);
  expect(first?.sequence).toBeLessThan(20);
  await nothingThrown(page);
});

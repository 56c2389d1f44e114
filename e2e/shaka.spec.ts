import { openContract } from './support/contract/open-contract.ts';
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

const play = (
  page: DrivenPage,
  edge: TestEdge,
  settings: object = {},
  more?: Readonly<Record<string, string>>,
): Promise<void> => openContract(page, edge, 'shaka5', { ...SETTINGS, ...settings }, more);

for (const [version, useHeaders] of [
  [1, false],
  [2, true],
] as const)
  test(`the rtp of Shaka's own CMCD ${version} by ${useHeaders ? 'header' : 'query'} is replaced, and its other keys stay`, async ({
    page,
    edge,
  }) => {
    const sent: string[] = [];
    page.on('request', (request) => {
      if (!request.url().includes('.m4s')) return;
      const { 'cmcd-status': status = '', 'cmcd-request': asked = '' } = request.headers();
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

test('HLS: rungs, audio and paces come from its playlists', async ({ page, edge }) => {
  await play(page, edge, {}, { manifest: 'master.m3u8' });
  const paced = (await pacedSegments(page, 3)).filter(isPacedVideo);
  expect(paced.map(({ applied_kbps }) => applied_kbps)).toEqual(
    paced.map(({ requested_kbps }) => requested_kbps),
  );
  const all = await decisions(page);
  expect(new Set(all.map(({ media_type }) => media_type))).toEqual(new Set(['video', 'audio']));
  // On a busy machine, the first paced segments may be of a lower rung.
  const top_kbps = Math.max(...paced.map(({ top_bitrate_kbps }) => top_bitrate_kbps));
  const highest = async () =>
    Math.max(...(await pacedSegments(page, 3)).filter(isPacedVideo).map(({ bitrate_kbps }) => bitrate_kbps));
  await expect.poll(highest).toBe(top_kbps);
  await noPaceStalls(page);
  await nothingThrown(page);
});

test('when attached to a playing player, it chooses the rungs of the loaded source', async ({
  page,
  edge,
}) => {
  await play(page, edge, {}, { attach: 'false' });
  await page.evaluate(() => window.attach());
  // The player has chosen the rungs of the segments that were in flight, on a busy machine of several.
  await expect
    .poll(async () => (await pacedSegments(page, 1)).findLast(isPacedVideo)?.abr_reason)
    .not.toBe('player');
  await page.evaluate(() => window.sammy.update({ max_bitrate_kbps: 800 }));
  await expect
    .poll(
      async () => (await decisions(page)).findLast(({ media_type }) => media_type === 'video')?.bitrate_kbps,
    )
    .toBeLessThanOrEqual(800);
  await noPaceStalls(page);
  await nothingThrown(page);
});

test("a segment is requested again if the response to rtp is a text page, and an application's filter sees no data twice", async ({
  page,
  edge,
}) => {
  const body = '<p>blocked</p>';
  let endWait = (): void => undefined;
  const registered = new Promise<void>((resolve) => (endWait = resolve));
  await page.route(/rtp%3D/, async (route) => {
    await registered;
    await route.fulfill({ contentType: 'text/html', body });
  });
  await play(page, edge);
  await page.evaluate(() => {
    const { player } = window.contract as unknown as {
      player: { getNetworkingEngine(): { registerResponseFilter(filter: object): void } };
    };
    const seen = new Set<ArrayBuffer>();
    Object.assign(window, { seen });
    // This filter is registered after the plug-in's.
    player.getNetworkingEngine().registerResponseFilter((_: number, { data }: { data: ArrayBuffer }) => {
      if (seen.has(data)) window.failures.push('a filter saw a response twice');
      seen.add(data);
    });
  });
  endWait();
  await expect.poll(() => page.evaluate(() => window.warnings)).toEqual(['rtp-refused']);
  const at_s = await page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);
  await playhead(page, at_s + 4);
  expect(await page.evaluate(() => [window.failures, window.playerErrors])).toEqual([[], []]);
  const sizes = await page.evaluate(() => {
    const { seen } = window as unknown as { seen: Set<ArrayBuffer> };
    return [...seen].map(({ byteLength }) => byteLength);
  });
  expect(sizes.filter((size) => size === body.length)).toHaveLength(1);
});

test('a rung in the middle that abr.restrictions exclude for its frame rate is not chosen', async ({
  page,
  edge,
}) => {
  await page.route(/manifest\.mpd/, async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/(?<=id="v1300"[^>]*frameRate=")24/, '120');
    expect(body).toContain('frameRate="120"');
    await route.fulfill({ response, body });
  });
  const options = JSON.stringify({ ...STEADY, max_bitrate_kbps: 1500 });
  await play(page, edge, { abr: { restrictions: { maxFrameRate: 60 } } }, { options });
  await pacedSegments(page, 3);
  const rungs = (await decisions(page))
    .filter(({ media_type }) => media_type === 'video')
    .map(({ representation }) => representation);
  expect(rungs.length).toBeGreaterThan(3);
  expect(new Set(rungs)).toContain('v700');
  for (const excluded of ['v1300', 'v2100', 'v3300']) expect(rungs).not.toContain(excluded);
  await nothingThrown(page);
});

test('segments of a preloaded source are paced while the current source continues to play', async ({
  page,
  edge,
}) => {
  await play(page, edge);
  await pacedSegments(page, 1);
  const mark = edge.responses.length;
  await page.evaluate(async () => {
    const { player } = window.contract as unknown as {
      player: { preload(url: string): Promise<{ waitForFinish(): Promise<void> }> };
    };
    await (await player.preload('/content/../content/manifest.mpd?next')).waitForFinish();
  });
  // Requests for first segments are from the preload: the current source loaded its first segments long ago.
  const preloaded = () =>
    selectSegments(edge.responses.slice(mark)).filter(({ url }) => /\/(v\d+|a96)\/1\.m4s/.test(url));
  await expect.poll(() => preloaded().length).toBe(2);
  for (const { asked_kbps } of preloaded()) expect(asked_kbps).toBeGreaterThan(0);
  const before = (await decisions(page)).at(-1)?.sequence;
  await pacedSegments(page, 2, before);
  expect(await page.evaluate(() => window.warnings)).toEqual([]);
  await nothingThrown(page);
});

test('an unload ends the session, and a preloaded source starts another one', async ({ page, edge }) => {
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

import { directoryOrigin } from '../edge/local/directory-origin.ts';
import { ensureTestContent } from '../media/sources/footage.ts';
import {
  decisions,
  expect,
  noPaceStalls,
  nothingThrown,
  pacedSegments,
  playhead,
  STEADY,
  test,
} from './support/fixtures.ts';

/** A live stream that began `BEGAN` segments ago, with the latest `WINDOW` of them. */
const [BEGAN, WINDOW, SEGMENT_MS] = [5, 5, 2000];

test('hls.js: a live stream is paced within its latency, and no pace stalls it', async ({ page, edge }) => {
  const film = await directoryOrigin((await ensureTestContent()).directory);
  let began: number | undefined;
  edge.fault = async (url) => {
    if (!url.pathname.endsWith('/index.m3u8')) return undefined;
    const recorded = await film(new Request(new URL(url.pathname.replace('/content', ''), url)));
    const [head = '', ...segments] = (await recorded.text())
      .replace('#EXT-X-ENDLIST', '')
      .split(/(?=#EXT-X-BITRATE)/);
    began ??= performance.now();
    const last = BEGAN + Math.floor((performance.now() - began) / SEGMENT_MS);
    const first = Math.max(0, last - WINDOW);
    const live = head
      .replace(/#EXT-X-PLAYLIST-TYPE:VOD\n/, '')
      .replace('MEDIA-SEQUENCE:1', `MEDIA-SEQUENCE:${1 + first}`);
    return new Response(live + segments.slice(first, last).join(''));
  };
  const query = new URLSearchParams({ player: 'hls1.7', options: JSON.stringify(STEADY) });
  await page.goto(`${edge.url}/contract.html?${query}`);
  await playhead(page, 0.2);
  await pacedSegments(page, 2);
  const all = await decisions(page);
  // hls.js stays three segments behind the latest.
  for (const { buffer_s, low_latency } of all) {
    expect(buffer_s).toBeLessThan(8);
    expect(low_latency).toBe(false);
  }
  await noPaceStalls(page);
  expect(await page.evaluate(() => window.playerErrors)).toEqual([]);
  await nothingThrown(page);
});

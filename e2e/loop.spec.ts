import { ensureTestContent } from '../media/sources/footage.ts';
import type { Loop } from '../src/loop/index.ts';
import { expect, noPaceStalls, nothingThrown, play, STEADY, test } from './support/fixtures.ts';
import { selectSegments, startTestEdge } from './support/test-edge.ts';

declare global {
  interface Window {
    loop: Loop;
    seeks: boolean;
  }
}

/**
 * The buffer level after the viewer's seek, in s: so low that the remaining part of a segment is requested without a
 * pace.
 */
const LEFT_S = 0.45;

test('a segment in flight arrives faster after the viewer seeks to the end of the buffer', async ({
  page,
  edge,
}) => {
  // The edge is on an origin other than the page's, like a CDN.
  const cdn = await startTestEdge((await ensureTestContent()).directory);
  try {
    // The edge's log contains the requested pace of each response, and the pace of its socket at its end.
    const faster = () =>
      selectSegments(cdn.responses).filter(({ url, pace_kbps, tcp, complete }) => {
        // Skip responses that dash.js abandoned when it sought, and those whose pace cannot be changed: their sockets
        // may already have the pace of the next response.
        if (!complete || !url.includes('dashjs-sammy-change')) return false;
        const atEnd = ((tcp?.max_pacing_rate ?? 0) * 8) / 1000;
        return pace_kbps !== null && tcp && (atEnd === 0 || atEnd > 1.1 * pace_kbps);
      });
    // The video has twelve segments. On a busy machine, all may arrive before the page has changed their pace.
    await expect(async () => {
      await play(page, edge, { options: STEADY, mpd: `${cdn.url}/content/manifest.mpd` });
      await page.evaluate(async (left_s) => {
        const { player, sammy } = window;
        const path = '/dist/dashjs-sammy-loop.js';
        const { closeLoop } = (await import(path)) as typeof import('../src/loop/index.ts');
        window.loop = closeLoop(player as never, sammy);
        window.seeks = true;
        const video = document.querySelector('video');
        sammy.on('request', ({ media_type, requested_kbps }) => {
          if (media_type !== 'video' || requested_kbps === null) return;
          setTimeout(() => {
            const buffered = video?.buffered;
            if (!buffered?.length || !window.seeks) return;
            player.seek(buffered.end(buffered.length - 1) - left_s);
          }, 30);
        });
      }, LEFT_S);
      await expect.poll(() => page.evaluate(() => window.loop.changes)).toBeGreaterThan(0);
      await expect.poll(() => faster().length, { timeout: 20_000 }).toBeGreaterThan(0);
    }).toPass({ timeout: 90_000 });
    await page.evaluate(() => (window.seeks = false));
    // The following segments have their own paces again.
    const mark = cdn.responses.length;
    await expect.poll(() => selectSegments(cdn.responses.slice(mark)).length).toBeGreaterThan(1);
    await noPaceStalls(page);
    await nothingThrown(page);
  } finally {
    await cdn.close();
  }
});

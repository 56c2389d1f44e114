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

/** The buffer that is left after the viewer has seeked, s: so little that the rest of a segment is asked for without a pace. */
const LEFT_S = 0.45;

test('a segment in flight arrives faster after a seek to the end of the buffer', async ({ page, edge }) => {
  // The edge is of another origin than the page, as that of a CDN.
  const cdn = await startTestEdge((await ensureTestContent()).directory);
  try {
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
    // The edge's log has what each response was asked for, and the pace of its socket when it ended. dash.js may give up what is
    // under way as it seeks, whose response then ends without its end.
    const faster = () =>
      selectSegments(cdn.responses).filter(({ url, pace_kbps, tcp, complete }) => {
        // Any other's socket may have the pace of the next response already.
        if (!complete || !url.includes('dashjs-sammy-change')) return false;
        const atEnd = ((tcp?.max_pacing_rate ?? 0) * 8) / 1000;
        return pace_kbps !== null && tcp && (atEnd === 0 || atEnd > 1.1 * pace_kbps);
      });
    await expect.poll(() => faster().length).toBeGreaterThan(0);
    await page.evaluate(() => (window.seeks = false));
    // The next ones have paces of their own again.
    const mark = cdn.responses.length;
    await expect.poll(() => selectSegments(cdn.responses.slice(mark)).length).toBeGreaterThan(1);
    await noPaceStalls(page);
    await nothingThrown(page);
  } finally {
    await cdn.close();
  }
});

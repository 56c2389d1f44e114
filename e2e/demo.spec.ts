import { ensureTestContent } from '../media/sources/footage.ts';
import { expect, playhead, test } from './support/fixtures.ts';
import { startDemo } from './support/start-demo.ts';
import { startTestEdge } from './support/test-edge.ts';

test('npm start plays a manifest from an allowed origin, and says why it refuses another origin', async ({
  page,
}) => {
  // `npm start` builds the page, which takes many seconds on a busy machine.
  test.setTimeout(240_000);
  const { directory } = await ensureTestContent();
  const [allowed, strange] = [await startTestEdge(directory), await startTestEdge(directory)];
  const demo = await startDemo('--allow-origin', allowed.url);
  try {
    await page.goto(`${demo.url}?mpd=${allowed.url}/content/manifest.mpd`);
    await playhead(page, 2);
    await expect(page.locator('#segments tr').nth(1).locator('td').nth(4)).toHaveText(/^\d+\.\d$/);
    await page.goto(`${demo.url}?mpd=${strange.url}/content/manifest.mpd`);
    await expect(page.locator('#problem')).toContainText(`--allow-origin ${strange.url}`, {
      timeout: 20_000,
    });
    expect(strange.responses).toEqual([]);
  } finally {
    await demo.stop();
    await allowed.close();
    await strange.close();
  }
});

import { ensureDefaultContent, ensureTestContent } from '../media/sources/footage.ts';
import { expect, playhead, test } from './support/fixtures.ts';
import { startDemo } from './support/start-demo.ts';
import { startTestEdge } from './support/test-edge.ts';

test.describe('npm start', () => {
  // `npm start` builds the page, which takes many seconds on a busy machine.
  test.describe.configure({ timeout: 240_000 });

  test('plays the film, draws the graphs, and compares with a session without Sammy', async ({ page }) => {
    const failures: string[] = [];
    page.on('pageerror', (error) => failures.push(error.message));
    const film = await ensureDefaultContent();
    const demo = await startDemo();
    try {
      await page.goto(demo.url);
      await playhead(page, 3);
      await expect(page.locator('#status')).toContainText('paced at');
      await expect(page.locator('#log tr').nth(1)).toContainText('playing');
      await expect(page.locator('#credit')).toContainText(film.credit ?? film.title);
      // Each chart has been drawn: its canvas has several colors.
      for (const id of ['throughput', 'bitrate', 'buffer', 'network']) {
        const colors = await page.locator(`#${id} canvas`).evaluate((canvas: HTMLCanvasElement) => {
          const { data = [] } =
            canvas.getContext('2d')?.getImageData(0, 0, canvas.width, canvas.height) ?? {};
          const seen = new Set<number>();
          for (let at = 0; at < data.length; at += 4) {
            seen.add(((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0));
          }
          return seen.size;
        });
        expect(colors, id).toBeGreaterThan(5);
      }

      // Controls take effect at once: the next decision follows the sliders, and without Sammy no pace is asked for.
      await page.locator('#c0').fill('6');
      await page.locator('#c1').fill('6');
      await expect(page.locator('#log tr').nth(1).locator('td').nth(5)).toHaveText('19.8', {
        timeout: 20_000,
      });

      await page.locator('#restart-off').click();
      await playhead(page, 9);
      await expect(page.locator('#log tr').nth(1).locator('td').nth(5)).toHaveText('none');
      await page.locator('#restart-on').click();
      await playhead(page, 3);
      const change = page.locator('#summary tr').nth(1).locator('td').nth(3);
      await expect(change).toHaveText(/^-\d+ %$/);
      expect(failures).toEqual([]);
    } finally {
      await demo.stop();
    }
  });

  test('plays a manifest from an allowed origin, and says why it refuses another origin', async ({
    page,
  }) => {
    const { directory } = await ensureTestContent();
    const [allowed, strange] = [await startTestEdge(directory), await startTestEdge(directory)];
    const demo = await startDemo('--allow-origin', allowed.url);
    try {
      await page.goto(`${demo.url}?mpd=${allowed.url}/content/manifest.mpd`);
      await playhead(page, 2);
      await expect(page.locator('#status')).toContainText('paced at');
      await page.goto(`${demo.url}?mpd=${strange.url}/content/manifest.mpd`);
      await expect(page.locator('#status')).toContainText(`--allow-origin ${strange.url}`, {
        timeout: 20_000,
      });
      expect(strange.responses).toEqual([]);
    } finally {
      await demo.stop();
      await allowed.close();
      await strange.close();
    }
  });
});

import type { Locator } from '@playwright/test';
import { ensureDefaultContent } from '../../media/sources/footage.ts';
import { expect, test } from '../support/fixtures.ts';
import { startDemo } from '../support/start-demo.ts';

const PHONE = { width: 390, height: 844 };

/** Counts the colors of a chart. An empty chart has few. */
const countColors = (canvas: Locator): Promise<number> =>
  canvas.evaluate((element: HTMLCanvasElement) => {
    const { data = [] } = element.getContext('2d')?.getImageData(0, 0, element.width, element.height) ?? {};
    const seen = new Set<number>();
    for (let at = 0; at < data.length; at += 4) {
      seen.add(((data[at] ?? 0) << 16) | ((data[at + 1] ?? 0) << 8) | (data[at + 2] ?? 0));
    }
    return seen.size;
  });

test('npm start shows the difference between stock dash.js and Sammy without a click', async ({ page }) => {
  // `npm start` builds the page, which takes many seconds on a busy machine.
  test.setTimeout(240_000);
  const failures: string[] = [];
  page.on('pageerror', (error) => failures.push(error.message));
  const film = await ensureDefaultContent();
  const demo = await startDemo();
  try {
    await page.setViewportSize(PHONE);
    await page.goto(demo.url);
    await expect(page.locator('#headline')).toHaveText(
      /^Sammy lowers the download rate of segments by \d+%/,
      {
        // Long enough for two players and their charts, beside two other browsers.
        timeout: 90_000,
      },
    );
    for (const arm of ['#stock', '#sammy']) {
      expect(await countColors(page.locator(`${arm} .traffic canvas`)), arm).toBeGreaterThan(5);
      const chart = await page.locator(`${arm} .traffic`).boundingBox();
      expect((chart?.y ?? Infinity) + (chart?.height ?? 0), 'above the fold').toBeLessThan(PHONE.height);
    }
    expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    await expect(page.locator('#credit')).toContainText(film.credit ?? film.title);

    // Controls take effect immediately: the next segment's pace is six times the top bitrate of 3.3 Mbit/s.
    await page.locator('#settings summary').click();
    await page.locator('#inside summary').click();
    await page.locator('#c0').fill('6');
    await page.locator('#c1').fill('6');
    await expect(page.locator('#segments tr').nth(1).locator('td').nth(3)).toHaveText(/^(19|20)\.\d$/, {
      timeout: 20_000,
    });
    for (const id of ['throughput', 'bitrate', 'buffer', 'network'])
      expect(await countColors(page.locator(`#${id} canvas`)), id).toBeGreaterThan(5);

    await page.locator('#restart').click();
    await expect(page.locator('#summary tr').nth(1).locator('td').nth(3)).toHaveText(/^-\d+%$/, {
      timeout: 30_000,
    });
    expect(failures).toEqual([]);
  } finally {
    await demo.stop();
  }
});

import { ensureTestContent } from '../media/sources/footage.ts';
import { expect, nothingThrown, pacedSegments, play, STEADY, test as base } from './support/fixtures.ts';
import { playsWithCookies } from './support/scenarios.ts';
import { selectSegments, startTestEdge, type TestEdge } from './support/test-edge.ts';

/**
 * Two edges: one serves the page, and the other, `filmEdge`, the video. If `named`, the latter accepts credentials from
 * the page's origin.
 */
const test = base.extend<{ named: boolean; filmEdge: TestEdge }>({
  named: [true, { option: true }],
  filmEdge: async ({ edge, named }, use) => {
    const { directory } = await ensureTestContent();
    const filmEdge = await startTestEdge(directory, named ? { credentialsOrigins: [edge.url] } : {});
    await use(filmEdge);
    await filmEdge.close();
  },
});

for (const cmcd of ['query', 'header'] as const) {
  test(`a page whose origin the edge accepts plays with cookies, is paced and reads receipts, with rtp in the ${cmcd}`, async ({
    page,
    edge,
    filmEdge,
  }) => {
    await playsWithCookies(page, edge, filmEdge, cmcd);
  });
}

test.describe('a page whose origin the edge does not accept', () => {
  test.use({ named: false });

  test('gets no response with cookies, and plays without them', async ({ page, edge, filmEdge }) => {
    const mpd = `${filmEdge.url}/content/manifest.mpd`;
    await page.goto(`${edge.url}/player.html?${new URLSearchParams({ mpd, credentials: 'include' })}`);
    await expect.poll(() => page.evaluate(() => window.playerErrors), { timeout: 30_000 }).not.toEqual([]);
    expect(selectSegments(filmEdge.responses)).toEqual([]);

    await play(page, edge, { mpd, options: STEADY });
    await pacedSegments(page, 1);
    await nothingThrown(page);
  });
});

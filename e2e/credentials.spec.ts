import type { Request } from '@playwright/test';
import { ensureTestContent } from '../media/sources/footage.ts';
import {
  expect,
  isPacedVideo,
  nothingThrown,
  pacedSegments,
  play,
  test as base,
} from './support/fixtures.ts';
import { segmentsOf, startTestEdge, type TestEdge } from './support/test-edge.ts';

/** The page is served by one edge, and the film by another, which takes credentials from that page if `named`. */
const test = base.extend<{ named: boolean; filmEdge: TestEdge }>({
  named: [true, { option: true }],
  filmEdge: async ({ edge, named, context }, use) => {
    const { directory } = await ensureTestContent();
    const filmEdge = await startTestEdge(directory, named ? { credentialsOrigins: [edge.url] } : {});
    // Ports are different origins, but have one jar of cookies (RFC 6265 §8.5).
    await context.addCookies([{ name: 'ticket', value: 'film', url: filmEdge.url }]);
    await use(filmEdge);
    await filmEdge.close();
  },
});

for (const cmcd of ['query', 'header'] as const) {
  test(`a page that the edge has named plays with cookies, is paced and reads its receipts, rtp in the ${cmcd}`, async ({
    page,
    edge,
    filmEdge,
  }) => {
    const requested: Request[] = [];
    page.on('request', (request) => requested.push(request));
    const mpd = `${filmEdge.url}/content/manifest.mpd`;
    await play(page, edge, { mpd, credentials: true, options: { cmcd } });
    const paced = (await pacedSegments(page, 3)).filter(isPacedVideo);

    for (const { applied_kbps, requested_kbps, rtt_ms } of paced) {
      expect(applied_kbps).toBe(requested_kbps);
      expect(rtt_ms).toBeGreaterThan(0);
    }
    const ofFilm = requested.filter(
      (request) => request.url().startsWith(filmEdge.url) && request.method() === 'GET',
    );
    const cookies = await Promise.all(ofFilm.map((request) => request.headerValue('Cookie')));
    expect(cookies.length).toBeGreaterThan(3);
    expect(new Set(cookies)).toEqual(new Set(['ticket=film']));
    await nothingThrown(page);
  });
}

test.describe('a page that the edge has not named', () => {
  test.use({ named: false });

  test('gets nothing with cookies, and plays without', async ({ page, edge, filmEdge }) => {
    const mpd = `${filmEdge.url}/content/manifest.mpd`;
    await page.goto(`${edge.url}/player.html?${new URLSearchParams({ mpd, credentials: 'include' })}`);
    await expect.poll(() => page.evaluate(() => window.playerErrors), { timeout: 30_000 }).not.toEqual([]);
    expect(segmentsOf(filmEdge.responses)).toEqual([]);

    await play(page, edge, { mpd });
    await pacedSegments(page, 1);
    await nothingThrown(page);
  });
});

import type { Request } from '@playwright/test';
import { ensureTestContent } from '../media/sources/footage.ts';
import {
  expect,
  isPacedVideo,
  nothingThrown,
  pacedSegments,
  play,
  STEADY,
  test as base,
} from './support/fixtures.ts';
import { segmentsOf, startTestEdge, type TestEdge } from './support/test-edge.ts';

/** One edge serves the page, another the film; the latter accepts credentials from that page's origin if `named`. */
const test = base.extend<{ named: boolean; filmEdge: TestEdge }>({
  named: [true, { option: true }],
  filmEdge: async ({ edge, named, context }, use) => {
    const { directory } = await ensureTestContent();
    const filmEdge = await startTestEdge(directory, named ? { credentialsOrigins: [edge.url] } : {});
    // Two ports are two origins, but share cookies (RFC 6265 §8.5).
    await context.addCookies([{ name: 'ticket', value: 'film', url: filmEdge.url }]);
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
    const requested: Request[] = [];
    page.on('request', (request) => requested.push(request));
    const mpd = `${filmEdge.url}/content/manifest.mpd`;
    await play(page, edge, { mpd, credentials: true, options: { ...STEADY, cmcd } });
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

test.describe('a page whose origin the edge does not accept', () => {
  test.use({ named: false });

  test('gets no response with cookies, and plays without them', async ({ page, edge, filmEdge }) => {
    const mpd = `${filmEdge.url}/content/manifest.mpd`;
    await page.goto(`${edge.url}/player.html?${new URLSearchParams({ mpd, credentials: 'include' })}`);
    await expect.poll(() => page.evaluate(() => window.playerErrors), { timeout: 30_000 }).not.toEqual([]);
    expect(segmentsOf(filmEdge.responses)).toEqual([]);

    await play(page, edge, { mpd, options: STEADY });
    await pacedSegments(page, 1);
    await nothingThrown(page);
  });
});

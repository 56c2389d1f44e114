import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import type { CompletedDecision } from '../src/index.ts';
import { ensureTestContent } from '../media/sources/footage.ts';
import {
  decisions,
  expect,
  play,
  playhead,
  shortBuffer,
  test as base,
  type PlayOptions,
} from './support/fixtures.ts';
import {
  carriesCmcd,
  isPreflight,
  isPreflightInVain,
  startOtherCdn,
  type OtherCdn,
  type Refusal,
} from './support/other-cdn.ts';
import type { TestEdge } from './support/test-edge.ts';

const test = base.extend<{ cdn: OtherCdn }>({
  // eslint-disable-next-line no-empty-pattern
  cdn: async ({}, use) => {
    const cdn = await startOtherCdn();
    await use(cdn);
    await cdn.close();
  },
});

/** Video comes from the other CDN, and sound from the edge, which paces. */
async function videoFrom(cdn: OtherCdn, edge: TestEdge): Promise<void> {
  const { directory } = await ensureTestContent();
  const manifest = (await readFile(join(directory, 'manifest.mpd'), 'utf8')).replace(
    /<AdaptationSet id="0"[^>]*>/,
    `$&<BaseURL>${cdn.url}/</BaseURL>`,
  );
  edge.fault = ({ pathname }) =>
    pathname.endsWith('.mpd')
      ? new Response(manifest, { headers: { 'Content-Type': 'application/dash+xml' } })
      : undefined;
}

/** So short a buffer that what a request costs is not hidden by it. */
const short = (version: PlayOptions['version']) => ({ streaming: { buffer: shortBuffer(version, 4) } });

const videoOf = async (page: Page) =>
  (await decisions(page)).filter(({ media_type }) => media_type === 'video');

const isPaced = ({ requested_kbps }: CompletedDecision) => requested_kbps !== null;
const isRefused = ({ pace_reason }: CompletedDecision) => pace_reason === 'rtp-refused';

const REFUSALS: readonly [name: string, cmcd: 'query' | 'header', refuses: Refusal][] = [
  ['forbids CMCD in the query', 'query', carriesCmcd],
  ['refuses the preflight', 'header', isPreflight],
  ['never answers the preflight', 'header', isPreflightInVain],
];

for (const version of ['5', '4'] as const) {
  for (const [name, cmcd, refuses] of REFUSALS) {
    test(`dash.js ${version}: one of two origins ${name}: it is asked once, and playback goes on`, async ({
      page,
      edge,
      cdn,
    }) => {
      await videoFrom(cdn, edge);
      cdn.refuses = refuses;
      await play(page, edge, { version, format: 'umd', options: { cmcd }, dash: short(version) });
      // Stopped at the buffer that it had without a pace, before.
      await playhead(page, 9);
      const video = await videoOf(page);
      const asked = video.findIndex(({ requested_kbps }) => requested_kbps !== null);
      expect(video[asked]?.outcome).toBe('failed');
      expect(video.slice(asked + 1).map(({ requested_kbps, outcome }) => requested_kbps ?? outcome)).toEqual(
        video.slice(asked + 1).map(() => 'completed'),
      );
      const [repeated, ...later] = video.slice(asked + 1);
      expect(repeated).toMatchObject({
        pace_reason: 'rtp-untried',
        segment_start_s: video[asked]?.segment_start_s,
      });
      expect(new Set(later.map(({ pace_reason }) => pace_reason))).toEqual(new Set(['rtp-refused']));
      // At once: dash.js waits for a second before it retries.
      const failed_ms = (video[asked]?.at_ms ?? 0) + (video[asked]?.download_ms ?? 0);
      expect((repeated?.at_ms ?? 0) - failed_ms).toBeLessThan(500);
      expect(cdn.requests.filter((url) => /CMCD=|PREFLIGHT/.test(url))).toHaveLength(1);
      // The other origin is asked, and paces.
      const sound = (await decisions(page)).filter(({ media_type }) => media_type === 'audio');
      expect(sound.some(({ applied_kbps }) => applied_kbps)).toBe(true);
      expect(await page.evaluate(() => window.warnings)).toEqual([
        `${cdn.url} refuses requests with rtp, and is asked for no pace`,
      ]);
      expect(await page.evaluate(() => [...window.failures, ...window.playerErrors])).toEqual([]);
    });
  }

  test(`dash.js ${version}: the next session asks an origin that has refused no more; a lack of segments is no refusal`, async ({
    page,
    edge,
    cdn,
  }) => {
    await videoFrom(cdn, edge);
    const player: PlayOptions = { version, format: 'umd', dash: short(version) };
    // Of all that asks for a pace, and of the same without one.
    let missing = 0;
    cdn.refuses = (request) => {
      if (carriesCmcd(request)) missing = 2;
      return missing-- > 0 ? 404 : undefined;
    };
    await play(page, edge, player);
    await expect.poll(async () => (await videoOf(page)).filter(isPaced).length).toBeGreaterThan(1);
    expect((await videoOf(page)).map(({ pace_reason }) => pace_reason)).not.toContain('rtp-refused');

    cdn.refuses = carriesCmcd;
    await play(page, edge, player);
    await expect.poll(async () => (await videoOf(page)).map(isRefused)).toContain(true);
    const before = cdn.requests.length;
    await play(page, edge, player);
    await playhead(page, 4);
    expect((await videoOf(page)).map(isRefused)).toContain(true);
    expect(cdn.requests.slice(before).filter((url) => url.includes('CMCD='))).toEqual([]);
  });
}

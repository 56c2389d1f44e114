import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CompletedDecision } from '../src/index.ts';
import { ensureTestContent } from '../media/sources/footage.ts';
import { CLEARLY_ABOVE } from '../src/learning/edge-trust.ts';
import {
  decisions,
  expect,
  play,
  playhead,
  shortBuffer,
  STEADY,
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
import { short, videoFrom, videoDecisions } from './support/video-from.ts';

const test = base.extend<{ cdn: OtherCdn }>({
  // oxlint-disable-next-line no-empty-pattern
  cdn: async ({}, use) => {
    const cdn = await startOtherCdn();
    await use(cdn);
    await cdn.close();
  },
});

const isPaced = ({ requested_kbps }: CompletedDecision) => requested_kbps !== null;
const isRefused = ({ pace_reason }: CompletedDecision) => pace_reason === 'rtp-refused';

/** Pace reasons of a nearly empty buffer: after a wait for an answer, or on a busy machine. */
const SHORT_OF_BUFFER = ['recovery', 'urgent'] as const;

// For the page, a refusal without CORS headers looks like a change of network, so only the second one proves a refusal.
const REFUSALS: readonly [name: string, cmcd: 'query' | 'header', refuses: Refusal, times: number][] = [
  ['forbids CMCD in the query', 'query', carriesCmcd, 2],
  ['refuses the preflight', 'header', isPreflight, 2],
  ['never answers the preflight', 'header', isPreflightInVain, 1],
];

for (const version of ['5', '4'] as const) {
  for (const [name, cmcd, refuses, times] of REFUSALS) {
    test(`dash.js ${version}: one of two origins ${name}: it gets ${times} requests with rtp, and playback continues`, async ({
      page,
      edge,
      cdn,
    }) => {
      await videoFrom(cdn, edge);
      cdn.refuses = refuses;
      // Play next to stock dash.js, which requests no pace. Without retries, a single failure that the plug-in does not
      // handle would stop this player.
      const dash = { streaming: { ...short(version).streaming, retryAttempts: { MediaSegment: 0 } } };
      const stock = await page.context().newPage();
      await play(stock, edge, { version, format: 'umd', order: 'none', dash });
      await play(page, edge, { version, format: 'umd', options: { cmcd }, dash });
      // A stopped player would not get beyond the content that was buffered unpaced, before the first failure.
      await playhead(page, 9);
      await playhead(stock, 9);
      const [ours, theirs] = [page, stock].map((each) => each.evaluate(() => window.stalls));
      expect(await ours).toBeLessThanOrEqual((await theirs) ?? 0);
      const video = await videoDecisions(page);
      const asked = video.flatMap((decision, index) => (isPaced(decision) ? [index] : []));
      expect(asked).toHaveLength(times);
      for (const index of asked) {
        const [failed, repeated] = video.slice(index);
        expect([failed?.outcome, repeated?.outcome]).toEqual(['failed', 'completed']);
        expect(repeated?.segment_start_s).toBe(failed?.segment_start_s);
        expect(['rtp-untried', ...SHORT_OF_BUFFER]).toContain(repeated?.pace_reason);
        // The plug-in repeats the request immediately; dash.js would wait for a second.
        const failed_ms = (failed?.at_ms ?? 0) + (failed?.download_ms ?? 0);
        expect((repeated?.at_ms ?? 0) - failed_ms).toBeLessThan(1000);
      }
      const later = video.slice((asked.at(-1) ?? 0) + 2);
      const reasons = new Set(later.map(({ pace_reason }) => pace_reason));
      for (const reason of SHORT_OF_BUFFER) reasons.delete(reason);
      expect(reasons).toEqual(new Set(['rtp-refused']));
      expect(cdn.requests.filter((url) => /CMCD=|PREFLIGHT/.test(url))).toHaveLength(times);
      // The other origin gets requests with rtp, and paces.
      const sound = (await decisions(page)).filter(({ media_type }) => media_type === 'audio');
      expect(sound.some(({ applied_kbps }) => applied_kbps)).toBe(true);
      expect(await page.evaluate(() => window.warnings)).toEqual([`${cdn.url} refuses requests with rtp`]);
      expect(await page.evaluate(() => [...window.failures, ...window.playerErrors])).toEqual([]);
    });
  }

  test(`dash.js ${version}: the next session sends no rtp to an origin that has refused it; missing segments are no refusal`, async ({
    page,
    edge,
    cdn,
  }) => {
    await videoFrom(cdn, edge);
    const player: PlayOptions = { version, format: 'umd', options: STEADY, dash: short(version) };
    // Refuses each request with a pace, and its repetition without a pace.
    let missing = 0;
    cdn.refuses = (request) => {
      if (carriesCmcd(request)) missing = 2;
      return missing-- > 0 ? 404 : undefined;
    };
    await play(page, edge, player);
    await expect.poll(async () => (await videoDecisions(page)).filter(isPaced).length).toBeGreaterThan(1);
    expect((await videoDecisions(page)).map(({ pace_reason }) => pace_reason)).not.toContain('rtp-refused');

    cdn.refuses = carriesCmcd;
    await play(page, edge, player);
    await expect.poll(async () => (await videoDecisions(page)).map(isRefused)).toContain(true);
    const before = cdn.requests.length;
    await play(page, edge, player);
    await playhead(page, 4);
    expect((await videoDecisions(page)).map(isRefused)).toContain(true);
    expect(cdn.requests.slice(before).filter((url) => url.includes('CMCD='))).toEqual([]);
  });
}

test('after advertisements that another origin sends by 302, the content is paced as before', async ({
  page,
  edge,
  cdn,
}) => {
  // The rate is clearly above the pace, so that the plug-in detects that this origin does not pace.
  cdn.rate_kbps = 40_000;
  const isAdvertisement = (start_s: number) => start_s >= 6 && start_s < 16;
  edge.fault = ({ pathname }) => {
    const number = Number(/content\/v\d+\/(\d+)\.m4s$/.exec(pathname)?.[1]);
    const Location = `${cdn.url}${pathname.replace('/content', '')}`;
    return isAdvertisement(2 * (number - 1))
      ? new Response(null, { status: 302, headers: { Location } })
      : undefined;
  };
  await play(page, edge, { options: STEADY, dash: { streaming: { buffer: shortBuffer('5', 4) } } });
  await playhead(page, 19);
  const video = (await videoDecisions(page)).filter(({ outcome }) => outcome === 'completed');
  const [pod, content] = [true, false].map((wanted) =>
    video.filter(({ segment_start_s }) => isAdvertisement(segment_start_s) === wanted),
  );
  // Four downloads in a row at more than twice the pace show that an origin does not pace. A busy machine is slower.
  const shown = pod?.slice(-4) ?? [];
  expect(shown).toHaveLength(4);
  const isFast = ({ achieved_kbps, requested_kbps }: CompletedDecision) =>
    (achieved_kbps ?? 0) > CLEARLY_ABOVE * (requested_kbps ?? Infinity);
  if (shown.every(isFast)) expect(shown[3]).toMatchObject({ pacing_honored: 'no', pace_limited: false });
  const after = content?.filter(({ segment_start_s }) => segment_start_s >= 16);
  expect(after?.length).toBeGreaterThan(0);
  for (const { achieved_kbps, applied_kbps, requested_kbps, pace_limited, pacing_honored } of after ?? []) {
    expect(applied_kbps).toBe(requested_kbps);
    expect(pacing_honored).not.toBe('no');
    // On a busy machine, few of these segments or none are as fast as their pace.
    if ((achieved_kbps ?? 0) >= 0.8 * (requested_kbps ?? Infinity)) expect(pace_limited).toBe(true);
  }
});

/** Reasons for which the player changes the origin. */
const MOVES = ['a failover', 'content steering'] as const;

for (const why of MOVES) {
  test(`${why} to another origin in the middle of a session keeps the estimate, and requests paces there`, async ({
    page,
    edge,
    cdn,
  }) => {
    const { directory } = await ensureTestContent();
    const manifest = (await readFile(join(directory, 'manifest.mpd'), 'utf8')).replace(
      /<Period/,
      `<BaseURL serviceLocation="a">${edge.url}/content/</BaseURL>
      <BaseURL serviceLocation="b">${cdn.url}/</BaseURL>
      <ContentSteering defaultServiceLocation="a">${edge.url}/content/steering.json</ContentSteering>$&`,
    );
    let isToLeave = false;
    edge.fault = ({ pathname }) => {
      if (pathname.endsWith('.mpd'))
        return new Response(manifest, { headers: { 'Content-Type': 'application/dash+xml' } });
      if (pathname.endsWith('steering.json')) {
        const order = isToLeave && why === 'content steering' ? ['b', 'a'] : ['a', 'b'];
        return Response.json({ VERSION: 1, TTL: 1, 'PATHWAY-PRIORITY': order });
      }
      const isGone = isToLeave && why === 'a failover' && pathname.endsWith('.m4s');
      return isGone ? new Response('gone', { status: 404 }) : undefined;
    };
    cdn.rate_kbps = 20_000;
    const retryAttempts = { MediaSegment: 0 };
    await play(page, edge, { dash: { streaming: { retryAttempts, buffer: shortBuffer('5', 4) } } });
    const isPacing = async () => (await videoDecisions(page)).some(({ applied_kbps }) => applied_kbps);
    await expect.poll(isPacing, 'paced by the first origin').toBe(true);
    expect(cdn.requests).toEqual([]);
    isToLeave = true;
    await playhead(page, 14);
    const there = async () =>
      (await videoDecisions(page)).filter(
        ({ outcome, applied_kbps, phase }) =>
          outcome === 'completed' && applied_kbps === undefined && phase === 'playing',
      );
    // On a busy machine, the player leaves the first origin later.
    await expect.poll(async () => (await there()).length).toBeGreaterThan(2);
    // The estimate does not restart at 1000 kbit/s as in a new session.
    for (const { estimate_kbps } of await there()) expect(estimate_kbps).toBeGreaterThan(3300);
    // On a busy machine the buffer is nearly empty after the failover, and is filled first.
    const isAsked = () => cdn.requests.some((url) => url.includes('CMCD='));
    await expect.poll(isAsked, 'asks the other origin').toBe(true);
    expect(await page.evaluate(() => [...window.failures, ...window.warnings])).toEqual([]);
  });
}

import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { CompletedDecision } from '../src/index.ts';
import { ensureTestContent } from '../media/sources/footage.ts';
import { CLEARLY_ABOVE } from '../src/learning/edge-trust.ts';
import { expect, play, playhead, shortBuffer, STEADY } from './support/fixtures.ts';
import { CELLS, isInGate, test, testCell, testNextSession } from './support/cells/refusals.ts';
import { videoDecisions } from './support/video-from.ts';

for (const cell of CELLS) if (isInGate(cell)) testCell(cell);

testNextSession('5');

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
    // Late timers of a busy machine make it many times slower.
    cdn.rate_kbps = 100_000;
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
    // The estimate does not restart at 1000 kbit/s as in a new session. Later ones are of what a busy machine can send.
    expect((await there())[0]?.estimate_kbps).toBeGreaterThan(2000);
    // On a busy machine the buffer is nearly empty after the failover, and is filled first.
    const isAsked = () => cdn.requests.some((url) => url.includes('CMCD='));
    await expect.poll(isAsked, 'asks the other origin').toBe(true);
    expect(await page.evaluate(() => window.failures)).toEqual([]);
    // The plug-in may have noticed already that the other origin ignores the paces.
    expect(['', 'the server does not pace']).toContain(await page.evaluate(() => window.warnings.join()));
  });
}

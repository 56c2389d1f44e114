import type { SessionSummary } from '../src/index.ts';
import {
  decisions,
  expect,
  nothingThrown,
  pacedSegments,
  play,
  shortBuffer,
  STEADY,
  test,
} from './support/fixtures.ts';
import { readsReceiptsOfAnotherOrigin } from './support/scenarios.ts';
import { selectSegments } from './support/test-edge.ts';

for (const cmcd of ['query', 'header'] as const) {
  test(`with rtp in the ${cmcd}, another origin applies the pace and its receipts can be read`, async ({
    page,
    edge,
  }) => {
    await readsReceiptsOfAnotherOrigin(page, edge, cmcd);
  });
}
test('a server that ignores rtp is detected, with one warning', async ({ page, edge }) => {
  edge.ignoresRtp = true;
  // The buffer is so short that seven of the video's twelve segments are left to be paced, however late playback
  // begins.
  await play(page, edge, { options: STEADY, dash: { streaming: { buffer: shortBuffer('5', 4) } } });
  const honored = () => page.evaluate(() => window.sammy.pacingHonored);
  await expect.poll(honored, { timeout: 30_000 }).toBe('no');
  expect((await page.evaluate(() => window.sammy.summary)).pacing_honored).toBe('no');
  expect((await decisions(page)).at(-1)).toMatchObject({ pace_limited: false, pacing_honored: 'no' });
  expect(await page.evaluate(() => window.warnings)).toEqual(['the server does not pace']);
  await pacedSegments(page, 7);
  expect((await page.evaluate(() => window.warnings)).length).toBe(1);
  expect(await page.evaluate(() => window.failures)).toEqual([]);
});

test('a listener can change options and detach', async ({ page, edge }) => {
  await play(page, edge, { format: 'umd' });
  const summary = page.evaluate(
    () =>
      new Promise<SessionSummary>((resolve) => {
        window.sammy.on('summary', resolve);
        window.sammy.on('request', ({ requested_kbps }) => {
          if (requested_kbps !== null) window.sammy.update({ pacing: false });
        });
        window.sammy.on('decision', ({ pace_reason }) => {
          if (pace_reason === 'switched-off') window.sammy.detach();
        });
      }),
  );
  const { segments } = await summary;
  const after = await page.evaluate(() => JSON.stringify(window.player.getSettings()));
  expect(JSON.parse(after)).toEqual(JSON.parse(await page.evaluate(() => window.settingsBefore)));
  const mark = edge.responses.length;
  await expect.poll(() => selectSegments(edge.responses.slice(mark)).length).toBeGreaterThan(3);
  // Only requests that were in flight when pacing was switched off, at most one per media type, may still be paced.
  const paced = selectSegments(edge.responses.slice(mark)).filter(({ asked_kbps }) => asked_kbps !== null);
  expect(paced.length).toBeLessThanOrEqual(2);
  expect((await decisions(page)).length).toBe(segments);
  await nothingThrown(page);
});

test('rejects an option out of range, a second Sammy, and an object that is not a player', async ({
  page,
  edge,
}) => {
  await play(page, edge);
  const refused = await page.evaluate(() => {
    const message = (action: () => unknown) => {
      try {
        action();
        return 'accepted';
      } catch (error) {
        return error instanceof Error ? error.message : String(error);
      }
    };
    return [
      message(() => {
        window.sammy.update({ c0: 0 });
      }),
      message(() => window.attachSammy(window.player)),
      message(() => window.attachSammy({})),
    ];
  });
  expect(refused[0]).toContain('c0');
  expect(refused[1]).toContain('call detach() first');
  expect(refused[2]).toContain('MediaPlayer');
  expect(await page.evaluate(() => window.sammy.options.c0)).toBe(3.2);
});

import type { Decision } from '../src/index.ts';
import { decisions, expect, nothingThrown, pacedSegments, play, STEADY, test } from './support/fixtures.ts';
import { learnsBehindAServiceWorker } from './support/scenarios.ts';

for (const version of ['5', '4'] as const) {
  test(`dash.js ${version}, behind a service worker that only fetches: Sammy measures throughput, switches up and paces`, async ({
    page,
    edge,
  }) => {
    await learnsBehindAServiceWorker(page, edge, { version, format: 'umd' });
  });
}

test('behind a service worker with its own cache, segments from that cache count as cached', async ({
  page,
  edge,
}) => {
  const again = { worker: '/worker.js?keep', options: STEADY };
  const segmentNames = (of: readonly Pick<Decision, 'representation' | 'segment_start_s'>[]) =>
    new Set(of.map(({ representation, segment_start_s }) => `${representation} ${segment_start_s}`));
  await play(page, edge, again);
  const first = await pacedSegments(page, 3);
  expect(first.filter(({ from_cache }) => from_cache)).toEqual([]);
  const fetched = segmentNames(first);
  // The worker may also store segments that the page requests after this list was made.
  const asked = segmentNames(
    await page.evaluate(() => {
      window.player.reset();
      return window.requests;
    }),
  );

  // Open the page again. The worker now has the segments that were downloaded before.
  await play(page, edge, again);
  await expect
    .poll(async () => [...segmentNames(await decisions(page))].filter((name) => !asked.has(name)).length, {
      timeout: 20_000,
    })
    .toBeGreaterThan(0);
  for (const decision of await decisions(page)) {
    const [name = ''] = segmentNames([decision]);
    if (fetched.has(name)) expect(decision.from_cache, name).toBe(true);
    else if (!asked.has(name)) expect(decision.from_cache, name).toBeUndefined();
  }
  expect((await decisions(page)).some(({ from_cache }) => from_cache)).toBe(true);
  await nothingThrown(page);
});

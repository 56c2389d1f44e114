import { ensureTestContent } from '../../media/sources/footage.ts';
import { missingWebKitReason } from '../../tools/setup/webkit.ts';
import { expect } from '../support/fixtures.ts';
import { playsLive } from '../support/low-latency.ts';
import {
  learnsBehindAServiceWorker,
  measuresInABusyPage,
  outlivesARestartOfTheEdge,
  playsWithCookies,
  readsReceiptsOfAnotherOrigin,
} from '../support/scenarios.ts';
import { startDemo } from '../support/start-demo.ts';
import { startTestEdge } from '../support/test-edge.ts';
import { cells, test } from '../support/engines/webkit.ts';

const missing = missingWebKitReason();
// Skipped if WebKit is missing and apt may not install it.
test.skip(missing !== null, missing ?? '');

for (const { player, behavior } of cells('long'))
  test(`WebKit, ${player}: ${behavior.name}`, async ({ tab, edge }) => {
    await behavior.holds(tab, edge, player);
  });

test('WebKit: the demo compares both players even if the browser reports an invalid language tag', async ({
  tab,
}) => {
  // `npm start` builds the page, which takes many seconds on a busy machine.
  test.setTimeout(240_000);
  const demo = await startDemo();
  try {
    await tab.goto(demo.url);
    await expect.poll(() => tab.evaluate(() => navigator.language)).toBe('en-US');
    await expect
      .poll(() => tab.evaluate(() => document.querySelector('#headline')?.textContent), { timeout: 90_000 })
      .toMatch(/^Sammy lowers the download rate of segments by \d+%/);
    expect(await tab.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
  } finally {
    await demo.stop();
  }
});

for (const player of [
  { version: '5', format: 'esm' },
  { version: '4', format: 'umd' },
] as const) {
  test.describe(`WebKit, dash.js ${player.version}`, () => {
    for (const cmcd of ['query', 'header'] as const) {
      for (const hidesTiming of [false, true])
        test(`with rtp in the ${cmcd}, the receipts of another origin ${hidesTiming ? 'without' : 'with'} Timing-Allow-Origin can be read`, async ({
          tab,
          edge,
        }) => {
          await readsReceiptsOfAnotherOrigin(tab, edge, cmcd, player, { hidesTiming });
        });

      test(`with rtp in the ${cmcd} and with credentials, all requests have the cookie`, async ({
        tab,
        edge,
      }) => {
        const { directory } = await ensureTestContent();
        const filmEdge = await startTestEdge(directory, { credentialsOrigins: [edge.url] });
        await playsWithCookies(tab, edge, filmEdge, cmcd, player);
        await filmEdge.close();
      });
    }

    test('measures throughput behind a service worker, and paces', async ({ tab, edge }) => {
      await learnsBehindAServiceWorker(tab, edge, player);
    });

    test('plays low-latency live, unpaced', async ({ tab, edge }) => {
      await playsLive(tab, edge, player.version, 1.2);
    });

    test('does not mistake a busy page for a slow network', async ({ tab, edge }) => {
      await measuresInABusyPage(tab, edge, player);
    });

    test('when the edge is restarted, playback continues, paced', async ({ tab }) => {
      await outlivesARestartOfTheEdge(tab, player);
    });
  });
}

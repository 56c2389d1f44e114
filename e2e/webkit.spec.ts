import { missingWebKitReason } from '../tools/setup/webkit.ts';
import { learnsBehindAServiceWorker, readsReceiptsOfAnotherOrigin } from './support/scenarios.ts';
import { cells, test } from './support/engines/webkit.ts';

const missing = missingWebKitReason();
// Skipped if WebKit is missing and apt may not install it.
test.skip(missing !== null, missing ?? '');

for (const { player, behavior } of cells('gate'))
  test(`WebKit, ${player}: ${behavior.name}`, async ({ tab, edge }) => {
    await behavior.holds(tab, edge, player);
  });

test('WebKit, dash.js 5: reads the receipts of another origin after a preflight, without Timing-Allow-Origin', async ({
  tab,
  edge,
}) => {
  await readsReceiptsOfAnotherOrigin(tab, edge, 'header', {}, { hidesTiming: true });
});

test('WebKit, dash.js 5: measures throughput behind a service worker, and paces', async ({ tab, edge }) => {
  await learnsBehindAServiceWorker(tab, edge, {});
});

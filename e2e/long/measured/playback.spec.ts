import { STEADY, test } from '../../support/fixtures.ts';
import { measuresInABusyPage, playsAndPaces } from '../../support/scenarios.ts';

for (const player of [
  { version: '5', format: 'umd', order: 'after' },
  { version: '4', format: 'esm', order: 'before' },
  { version: '5', format: 'legacy', order: 'before' },
  { version: '4', format: 'legacy', order: 'before' },
] as const) {
  test(`dash.js ${player.version}, ${player.format}, attached ${player.order} initialize: plays and paces`, async ({
    page,
    edge,
  }) => {
    await playsAndPaces(page, edge, { ...player, options: STEADY });
  });
}

test('dash.js 4: does not mistake a busy page for a slow network', async ({ page, edge }) => {
  await measuresInABusyPage(page, edge, { version: '4', format: 'umd' });
});

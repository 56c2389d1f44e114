import { missingFirefoxReason } from '../tools/setup/firefox.ts';
import { test } from './support/engines/firefox.ts';
import { BEHAVIORS } from './support/contract/behaviors.ts';
import { playsAndPaces, readsReceiptsOfAnotherOrigin } from './support/scenarios.ts';

const missing = missingFirefoxReason();
// Skipped if Firefox is missing and apt may not install it.
test.skip(missing !== null, missing ?? '');

test('Firefox, dash.js 4: plays and paces', async ({ tab, edge }) => {
  await playsAndPaces(tab, edge, { version: '4', format: 'umd' });
});

test('Firefox, dash.js 5: plays and paces, and reads the receipts of another origin', async ({
  tab,
  edge,
}) => {
  const player = { version: '5', format: 'esm' } as const;
  await playsAndPaces(tab, edge, player);
  await readsReceiptsOfAnotherOrigin(tab, edge, 'header', player);
});

for (const { name, everyPlayer, holds } of BEHAVIORS)
  if (everyPlayer)
    test(`Firefox, Shaka Player: ${name}`, async ({ tab, edge }) => {
      await holds(tab, edge, 'shaka5');
    });

import { missingFirefoxReason } from '../../tools/setup/firefox.ts';
import { test } from '../support/engines/firefox.ts';
import {
  measuresInABusyPage,
  outlivesARestartOfTheEdge,
  outlivesFailedSegments,
  readsReceiptsOfAnotherOrigin,
} from '../support/scenarios.ts';

const missing = missingFirefoxReason();
// Skipped if Firefox is missing and apt may not install it.
test.skip(missing !== null, missing ?? '');

for (const player of [
  { version: '5', format: 'esm' },
  { version: '4', format: 'umd' },
] as const) {
  test.describe(`Firefox, dash.js ${player.version}`, () => {
    test('does not mistake a busy page for a slow network', async ({ tab, edge }) => {
      await measuresInABusyPage(tab, edge, player);
    });

    for (const cmcd of ['query', 'header'] as const) {
      test(`with rtp in the ${cmcd}, another origin applies the pace and its receipts can be read`, async ({
        tab,
        edge,
      }) => {
        await readsReceiptsOfAnotherOrigin(tab, edge, cmcd, player);
      });
    }

    test('after a 503 for a segment, it is requested again and playback continues', async ({ tab, edge }) => {
      await outlivesFailedSegments(tab, edge, 503, player);
    });

    test('when the edge is restarted, playback continues, paced', async ({ tab }) => {
      await outlivesARestartOfTheEdge(tab, player);
    });
  });
}

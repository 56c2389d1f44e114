import { firefoxLack } from '../tools/setup/firefox.ts';
import { test } from './support/firefox.ts';
import {
  measuresInABusyPage,
  outlivesARestartOfTheEdge,
  outlivesFailedSegments,
  playsAndPaces,
  readsReceiptsOfAnotherOrigin,
} from './support/scenarios.ts';

const lack = firefoxLack();
// Skipped where Firefox is missing and apt may not install it; the lack is the reason shown.
test.skip(lack !== null, lack ?? '');

for (const player of [
  { version: '5', format: 'esm' },
  { version: '4', format: 'umd' },
] as const) {
  test.describe(`Firefox, dash.js ${player.version}`, () => {
    test('plays and paces', async ({ tab, edge }) => {
      await playsAndPaces(tab, edge, player);
    });

    test('a busy page does not look like a slow network', async ({ tab, edge }) => {
      await measuresInABusyPage(tab, edge, player);
    });

    for (const cmcd of ['query', 'header'] as const) {
      test(`rtp by ${cmcd} to another origin: applied, and the receipt is readable`, async ({
        tab,
        edge,
      }) => {
        await readsReceiptsOfAnotherOrigin(tab, edge, cmcd, player);
      });
    }

    test('a 503 for a segment: it is asked for again, and playback goes on', async ({ tab, edge }) => {
      await outlivesFailedSegments(tab, edge, 503, player);
    });

    test('the edge is restarted in mid-stream: playback goes on, paced', async ({ tab }) => {
      await outlivesARestartOfTheEdge(tab, player);
    });
  });
}

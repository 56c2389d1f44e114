import { BEHAVIORS, PLAYERS } from '../support/contract/behaviors.ts';
import { test } from '../support/fixtures.ts';

// The gate (e2e/contract.spec.ts) tests the other combinations of player and behavior.
for (const player of PLAYERS)
  for (const { name, everyPlayer, holds } of BEHAVIORS)
    if (!everyPlayer && player !== 'hls1.7')
      test(`${player}: ${name}`, async ({ page, edge }) => {
        await holds(page, edge, player);
      });

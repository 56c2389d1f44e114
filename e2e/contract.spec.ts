import { BEHAVIORS, PLAYERS } from './support/contract.ts';
import { test } from './support/fixtures.ts';

for (const player of PLAYERS)
  for (const { name, holds } of BEHAVIORS)
    test(`${player}: ${name}`, async ({ page, edge }) => {
      await holds(page, edge, player);
    });

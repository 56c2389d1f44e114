import { missingWebKitReason } from '../tools/setup/webkit.ts';
import { BEHAVIORS } from './support/contract/behaviors.ts';
import { test } from './support/webkit.ts';

const lack = missingWebKitReason();
// Skipped if WebKit is missing and apt may not install it.
test.skip(lack !== null, lack ?? '');
// One browser at a time: WebKit draws and decodes on the processor.
test.describe.configure({ mode: 'default' });

for (const player of ['dashjs5', 'dashjs4'] as const)
  for (const { name, everyPlayer, holds } of BEHAVIORS)
    if (everyPlayer)
      test(`WebKit, ${player}: ${name}`, async ({ tab, edge }) => {
        await holds(tab, edge, player);
      });

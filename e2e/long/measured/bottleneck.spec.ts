import { expect, test } from '@playwright/test';
import { missingLiveReason } from '../../../p4/switch/live/missing-live-reason.ts';
import { figures, responses } from '../../support/bottleneck-page.ts';
import { startDemo } from '../../support/start-demo.ts';

test("behind a bottleneck, the neighbor's responses are faster in Sammy's turns", async ({ page }) => {
  const missing = missingLiveReason();
  // Skipped without root, /dev/net/tun or iproute2, which a link needs.
  test.skip(
    missing !== undefined,
    `a live switch needs root on Linux: ${missing}; run it with: sudo npm run test:all`,
  );
  test.setTimeout(300_000);
  const demo = await startDemo('--bottleneck', '40');
  try {
    await page.goto(demo.url);
    await responses(page, 6);
    // The neighbor's receive window fills two thirds of the link at an RTT of 5 ms. If a queue adds 10 ms, the RTT is
    // three times as long, so the neighbor gets a third of that throughput.
    const [slow_s, fast_s] = await figures(page, 'response');
    expect(fast_s).toBeLessThan(slow_s);
  } finally {
    await demo.stop();
  }
});

import { chromium } from '@playwright/test';
import { ensureTestContent } from '../media/sources/footage.ts';
import { startTestEdge } from '../e2e/support/test-edge.ts';
import { ensureChromium } from '../emulation/setup/chromium.ts';

export interface DecisionCost {
  /** Median time of dash.js's own ABR decision, with its default rules. */
  readonly dashjs_us: number;
  /** Median time of dash.js's decision with Sammy's rule, plus pace and `rtp` for the request. */
  readonly sammy_us: number;
}

/** The functions of e2e/pages/decision-cost.js. */
interface DecisionCostScript {
  decisionCost: (rounds: number, calls: number) => Promise<DecisionCost>;
}

/**
 * Times both decisions in one page, in turns, on the same player in the same state: dash.js's
 * `checkPlaybackQuality` with its own rules, and the same call with Sammy's rule plus the interceptor that
 * chooses the pace and writes `rtp` into the URL.
 */
export async function benchDecision({ rounds = 7, calls = 2000 } = {}): Promise<DecisionCost> {
  const { directory } = await ensureTestContent();
  const edge = await startTestEdge(directory);
  const browser = await chromium.launch({
    executablePath: await ensureChromium(),
    args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required', '--mute-audio', '--disable-gpu'],
  });
  try {
    const page = await browser.newPage();
    // With a short buffer dash.js fetches all the time, so that there is a request to decide about.
    const buffer = { bufferTimeDefault: 4, bufferTimeAtTopQuality: 4 };
    const query = new URLSearchParams({
      order: 'none',
      mpd: `${edge.url}/content/manifest.mpd`,
      dash: JSON.stringify({ streaming: { buffer } }),
    });
    await page.goto(`${edge.url}/player.html?${query}`);
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1);
    return await page.evaluate(
      async ({ path, rounds, calls }) => {
        const script = (await import(path)) as DecisionCostScript;
        return script.decisionCost(rounds, calls);
      },
      { path: '/decision-cost.js', rounds, calls },
    );
  } finally {
    await browser.close();
    await edge.close();
  }
}

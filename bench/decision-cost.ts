import { chromium } from '@playwright/test';
import { ensureTestContent } from '../media/sources/footage.ts';
import { startTestEdge } from '../e2e/support/test-edge.ts';
import { ensureChromium } from '../emulation/host/setup/chromium.ts';
import { algorithmExports, type AlgorithmExport } from '../src/testing/every-algorithm.ts';

/** The time of one decision in a page, µs. */
export interface DecisionCost {
  /**
   * The name of the measured code. `dashjs` is dash.js's own decision. Any other name is an algorithm of
   * `dashjs-sammy/abr`: dash.js's decision by Sammy's rule, plus the pace and `rtp` for the request.
   */
  readonly name: string;
  readonly median_us: number;
  readonly p99_us: number;
}

/**
 * The targets for the whole decision: a limit for each algorithm that plans. The others should take no longer than
 * dash.js's own decision.
 */
const TARGETS = [
  ['mpc', 'at most 1000 µs'],
  ['fugu', 'at most 500 µs'],
  ['planner', 'at most 1000 µs'],
  ['pensieve', 'at most 300 µs'],
] as const;

interface Extent {
  readonly rounds: number;
  /** Number of timed calls per round, in each of three states of network and buffer. */
  readonly calls: number;
  /**
   * Number of unmeasured decisions before the measured ones, because each attachment creates new functions that are not
   * compiled yet, unlike dash.js's own.
   */
  readonly warmUp: number;
}

/** The functions of e2e/pages/decision-cost.js. */
interface DecisionCostScript {
  decisionCost: (extent: Extent & { readonly algorithms: readonly string[] }) => Promise<DecisionCost[]>;
}

/**
 * Times decisions in turns, in one page and on the same player with five rungs: dash.js's `checkPlaybackQuality` with
 * its own rules and, for each algorithm, the same call with Sammy's rule, plus the interceptor that chooses the pace
 * and writes `rtp` into the URL. Fugu and the planner also choose the pace. Before each of their decisions another
 * receipt arrives, and the time to read it is included.
 */
export async function benchDecision(
  extent: Extent = { rounds: 5, calls: 500, warmUp: 500 },
  algorithms: readonly AlgorithmExport[] = algorithmExports,
): Promise<DecisionCost[]> {
  const { directory } = await ensureTestContent();
  const edge = await startTestEdge(directory);
  const browser = await chromium.launch({
    executablePath: await ensureChromium(),
    args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required', '--mute-audio', '--disable-gpu'],
  });
  try {
    const page = await browser.newPage();
    // Isolate the page from other origins: only then does its clock have steps of 5 µs instead of 100 µs.
    await page.route('**/player.html*', async (route) => {
      const response = await route.fetch();
      const isolated = {
        'cross-origin-opener-policy': 'same-origin',
        'cross-origin-embedder-policy': 'require-corp',
      };
      await route.fulfill({ response, headers: { ...response.headers(), ...isolated } });
    });
    // With a short buffer, dash.js downloads all the time, so that it applies a choice immediately.
    const buffer = { bufferTimeDefault: 4, bufferTimeAtTopQuality: 4 };
    const query = new URLSearchParams({
      order: 'none',
      mpd: `${edge.url}/content/manifest.mpd`,
      dash: JSON.stringify({ streaming: { buffer } }),
    });
    await page.goto(`${edge.url}/player.html?${query}`);
    await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 1);
    return await page.evaluate(
      async ({ path, ...extent }) => {
        if (!crossOriginIsolated) throw new Error('the page is not isolated, so that its clock is coarse');
        const script = (await import(path)) as DecisionCostScript;
        return script.decisionCost(extent);
      },
      { path: '/decision-cost.js', ...extent, algorithms },
    );
  } finally {
    await browser.close();
    await edge.close();
  }
}

/** Formats a line for each algorithm, with its ratio to dash.js's own time in the same page. */
export function decisionLines(costs: readonly DecisionCost[]): string[] {
  const own = costs.find(({ name }) => name === 'dashjs');
  return costs.map(({ name, median_us, p99_us }) => {
    const target = TARGETS.find(([part]) => name.toLowerCase().includes(part))?.[1] ?? 'at most 1';
    const ratio = own ? median_us / own.median_us : NaN;
    const beside = name === 'dashjs' ? '' : `, ${ratio.toFixed(2)} of dash.js's own (target: ${target})`;
    return `  ${name}: median ${median_us.toFixed(1)} µs, p99 ${p99_us.toFixed(0)} µs${beside}`;
  });
}

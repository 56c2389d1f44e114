import { chromium, type Page } from '@playwright/test';
import { ensureTestContent } from '../media/sources/footage.ts';
import { startTestEdge } from '../e2e/support/test-edge.ts';
import { median } from '../src/median.ts';
import { startDelayingRelay } from './delaying-relay.ts';
import { ensureChromium } from '../emulation/host/setup/chromium.ts';

export interface CmcdModeCost {
  readonly cmcd: 'query' | 'header';
  /** Whether the application itself sends CMCD with every request, in the same mode. */
  readonly own_cmcd: boolean;
  /** Median over the rounds. */
  readonly play_delay_ms: number;
  /** Median time from the request for a media segment to its first byte: at least one round trip, two with a preflight. */
  readonly first_byte_ms: number;
  /** Median over the rounds. */
  readonly preflights_per_segment: number;
}

const SEGMENTS = 8;

/**
 * Measures the cost of sending `rtp` in a header instead of the URL. Plays the same video alternately in both modes
 * from another origin that is 40 ms away, each time in a browser with an empty cache. A playback takes about 5 s.
 */
export async function benchCmcdMode({ rounds = 3, rtt_ms = 40 } = {}): Promise<CmcdModeCost[]> {
  const { directory } = await ensureTestContent();
  const edge = await startTestEdge(directory);
  const browser = await chromium.launch({
    executablePath: await ensureChromium(),
    args: ['--no-sandbox', '--autoplay-policy=no-user-gesture-required', '--mute-audio', '--disable-gpu'],
  });
  const kinds = [false, true].flatMap((own_cmcd) =>
    (['query', 'header'] as const).map((cmcd) => ({ cmcd, own_cmcd, sessions: [] as Session[] })),
  );
  try {
    for (let round = 0; round < rounds; round++) {
      for (const { cmcd, own_cmcd, sessions } of kinds) {
        const relay = await startDelayingRelay(edge.port, rtt_ms);
        const context = await browser.newContext();
        const page = await context.newPage();
        const query = new URLSearchParams({
          mpd: `${relay.url}/content/manifest.mpd`,
          options: JSON.stringify({ cmcd }),
          ...(own_cmcd && {
            dash: JSON.stringify({ streaming: { cmcd: { enabled: true, mode: cmcd, sid: 'a', cid: 'b' } } }),
          }),
        });
        await page.goto(`${edge.url}/player.html?${query}`);
        sessions.push({ ...(await watch(page)), preflights: relay.preflights });
        await context.close();
        await relay.close();
      }
    }
  } finally {
    await browser.close();
    await edge.close();
  }
  return kinds.map(({ cmcd, own_cmcd, sessions }) => ({
    cmcd,
    own_cmcd,
    play_delay_ms: median(sessions.map(({ play_delay_ms }) => play_delay_ms)) ?? NaN,
    first_byte_ms: median(sessions.flatMap(({ first_bytes_ms }) => first_bytes_ms)) ?? NaN,
    preflights_per_segment: median(sessions.map(({ preflights, segments }) => preflights / segments)) ?? NaN,
  }));
}

interface Session {
  readonly play_delay_ms: number;
  readonly first_bytes_ms: readonly number[];
  readonly segments: number;
  readonly preflights: number;
}

/** Plays until a few paced video segments have arrived. The audio segments until then are measured too. */
async function watch(page: Page): Promise<Omit<Session, 'preflights'>> {
  await page.waitForFunction(() => (document.querySelector('video')?.currentTime ?? 0) > 0);
  await page.waitForFunction((count) => {
    const paced = window.sammy.decisions.filter(({ requested_kbps }) => requested_kbps !== null);
    return paced.filter(({ media_type }) => media_type === 'video').length >= count;
  }, SEGMENTS);
  return page.evaluate(() => {
    const { decisions, summary } = window.sammy;
    const segments = performance
      .getEntriesByType('resource')
      .map((entry) => entry as PerformanceResourceTiming)
      .filter(({ name }) => /\/\d+\.m4s/.test(name));
    // Measure the time to the first byte, because the first 640 kB on a new loopback connection are not paced.
    const first_bytes_ms = segments.map(({ startTime, responseStart }) => responseStart - startTime);
    return { play_delay_ms: summary.play_delay_ms ?? 0, first_bytes_ms, segments: decisions.length };
  });
}

import type { CompletedDecision } from '../../../src/index.ts';
import { decisions, expect, play, playhead, STEADY, test as base, type PlayOptions } from '../fixtures.ts';
import {
  carriesCmcd,
  isPreflight,
  isPreflightInVain,
  startOtherCdn,
  type OtherCdn,
  type Refusal,
} from '../other-cdn.ts';
import { short, videoDecisions, videoFrom } from '../video-from.ts';

type Version = '4' | '5';

/** A version of dash.js, and a way in which one of its two origins refuses `rtp`. */
interface Cell {
  readonly version: Version;
  readonly name: string;
  readonly cmcd: 'query' | 'header';
  readonly refuses: Refusal;
}

// A page cannot distinguish a refusal without CORS headers, or a silence, from a change of network: only two of them prove
// a refusal.
const REFUSALS = [
  { name: 'forbids CMCD in the query', cmcd: 'query', refuses: carriesCmcd },
  { name: 'refuses the preflight', cmcd: 'header', refuses: isPreflight },
  { name: 'never answers the preflight', cmcd: 'header', refuses: isPreflightInVain },
] as const;
export const CELLS: readonly Cell[] = (['5', '4'] as const).flatMap((version) =>
  REFUSALS.map((refusal) => ({ version, ...refusal })),
);
/** Whether the gate runs a cell. The gate covers all refusals with dash.js 5, and one with dash.js 4. */
export const isInGate = ({ version, cmcd }: Cell): boolean => version === '5' || cmcd === 'query';

/** The fixture `cdn` is another origin, which can refuse requests. */
export const test = base.extend<{ cdn: OtherCdn }>({
  // oxlint-disable-next-line no-empty-pattern
  cdn: async ({}, use) => {
    const cdn = await startOtherCdn();
    await use(cdn);
    await cdn.close();
  },
});

const isPaced = ({ requested_kbps }: CompletedDecision) => requested_kbps !== null;
const isRefused = ({ pace_reason }: CompletedDecision) => pace_reason === 'rtp-refused';

/** Pace reasons of a nearly empty buffer: after a wait for an answer, or on a busy machine. */
const SHORT_OF_BUFFER = ['recovery', 'urgent'] as const;

export function testCell({ version, name, cmcd, refuses }: Cell): void {
  test(`dash.js ${version}: one of two origins ${name}: it gets two requests with rtp, and playback continues`, async ({
    page,
    edge,
    cdn,
  }) => {
    await videoFrom(cdn, edge);
    cdn.refuses = refuses;
    // Play next to stock dash.js, which requests no pace. Without retries, a single failure that the plug-in does not
    // handle would stop this player.
    const dash = { streaming: { ...short(version).streaming, retryAttempts: { MediaSegment: 0 } } };
    const stock = await page.context().newPage();
    await play(stock, edge, { version, format: 'umd', order: 'none', dash });
    await play(page, edge, { version, format: 'umd', options: { cmcd }, dash });
    // A stopped player would not get beyond the content that was buffered unpaced, before the first failure.
    await playhead(page, 9);
    await playhead(stock, 9);
    const [ours, theirs] = [page, stock].map((each) => each.evaluate(() => window.stalls));
    expect(await ours).toBeLessThanOrEqual((await theirs) ?? 0);
    const video = await videoDecisions(page);
    const asked = video.flatMap((decision, index) => (isPaced(decision) ? [index] : []));
    expect(asked).toHaveLength(2);
    for (const index of asked) {
      const [failed, repeated] = video.slice(index);
      expect([failed?.outcome, repeated?.outcome]).toEqual(['failed', 'completed']);
      expect(repeated?.segment_start_s).toBe(failed?.segment_start_s);
      expect(['rtp-untried', ...SHORT_OF_BUFFER]).toContain(repeated?.pace_reason);
      // The plug-in repeats the request immediately; dash.js would wait for a second.
      const failed_ms = (failed?.at_ms ?? 0) + (failed?.download_ms ?? 0);
      expect((repeated?.at_ms ?? 0) - failed_ms).toBeLessThan(1000);
    }
    const later = video.slice((asked.at(-1) ?? 0) + 2);
    const reasons = new Set(later.map(({ pace_reason }) => pace_reason));
    for (const reason of SHORT_OF_BUFFER) reasons.delete(reason);
    expect(reasons).toEqual(new Set(['rtp-refused']));
    expect(cdn.requests.filter((url) => /CMCD=|PREFLIGHT/.test(url))).toHaveLength(2);
    // The other origin gets requests with rtp, and paces.
    const sound = (await decisions(page)).filter(({ media_type }) => media_type === 'audio');
    expect(sound.some(({ applied_kbps }) => applied_kbps)).toBe(true);
    expect(await page.evaluate(() => window.warnings)).toEqual([`${cdn.url} refuses requests with rtp`]);
    expect(await page.evaluate(() => [...window.failures, ...window.playerErrors])).toEqual([]);
  });
}

export function testNextSession(version: Version): void {
  test(`dash.js ${version}: the next session sends no rtp to an origin that has refused it; missing segments are no refusal`, async ({
    page,
    edge,
    cdn,
  }) => {
    await videoFrom(cdn, edge);
    const player: PlayOptions = { version, format: 'umd', options: STEADY, dash: short(version) };
    // Refuses each request with a pace, and its repetition without a pace.
    let missing = 0;
    cdn.refuses = (request) => {
      if (carriesCmcd(request)) missing = 2;
      return missing-- > 0 ? 404 : undefined;
    };
    await play(page, edge, player);
    await expect.poll(async () => (await videoDecisions(page)).filter(isPaced).length).toBeGreaterThan(1);
    expect((await videoDecisions(page)).map(({ pace_reason }) => pace_reason)).not.toContain('rtp-refused');

    cdn.refuses = carriesCmcd;
    await play(page, edge, player);
    await expect.poll(async () => (await videoDecisions(page)).map(isRefused)).toContain(true);
    const before = cdn.requests.length;
    await play(page, edge, player);
    await playhead(page, 4);
    expect((await videoDecisions(page)).map(isRefused)).toContain(true);
    expect(cdn.requests.slice(before).filter((url) => url.includes('CMCD='))).toEqual([]);
  });
}

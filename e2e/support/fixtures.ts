import { expect, test as base } from '@playwright/test';
import { ensureTestContent } from '../../media/sources/footage.ts';
import type {
  AbrAlgorithm,
  CompletedDecision,
  Decision,
  PacePolicy,
  SammyHandle,
  SessionSummary,
} from '../../src/index.ts';
import { startTestEdge, type TestEdge } from './test-edge.ts';

declare global {
  interface Window {
    /** The attached Sammy. The page enables summaries. */
    sammy: SammyHandle & { readonly summary: SessionSummary };
    player: PlayerOfThePage;
    attachSammy: (player: unknown, options?: object) => SammyHandle;
    attach: () => void;
    /** Uncaught errors and rejections. */
    failures: string[];
    /** dash.js's error events. */
    playerErrors: string[];
    warnings: string[];
    /** The warnings of fugu(). */
    fuguWarnings: string[];
    makeFugu: (options: { readonly model: string }) => AbrAlgorithm & PacePolicy;
    algorithm: AbrAlgorithm & PacePolicy;
    dashjs: { MediaPlayer(): { create(): PlayerOfThePage } };
    requests: Decision[];
    /** Number of rebuffers, which are also counted for stock dash.js. */
    stalls: number;
    settingsBefore: string;
  }
}

interface PlayerOfThePage {
  seek(time_s: number): void;
  setPlaybackRate(rate: number): void;
  getSettings(): {
    /** dash.js 5 has `rules`, 4.7 has `additionalAbrRules`. */
    readonly streaming: {
      readonly abr: {
        readonly rules?: Readonly<Record<string, { readonly active: boolean }>>;
        readonly additionalAbrRules?: Readonly<Record<string, boolean>>;
      };
    };
  };
  updateSettings(settings: object): void;
  resetSettings(): void;
  getVersion(): string;
  reset(): void;
  destroy(): void;
  initialize(video: HTMLVideoElement, url: string, autoPlay: boolean): void;
  /** dash.js 5 has this function, 4.7 the next one. */
  setRepresentationForTypeByIndex?(type: string, index: number, forceReplace: boolean): void;
  setQualityFor?(type: string, index: number, forceReplace: boolean): void;
  attachView(video: HTMLVideoElement | null): void;
  attachSource(url: string): void;
}

/** The common interface of pages in Playwright (Chromium), Puppeteer (Firefox) and WebDriver (WebKit). */
export interface DrivenPage {
  goto(url: string): Promise<unknown>;
  evaluate<Result>(action: () => Result): Promise<Awaited<Result>>;
}

export const test = base.extend<{ edge: TestEdge }>({
  // Playwright requires that the first parameter is destructured.
  // oxlint-disable-next-line no-empty-pattern
  edge: async ({}, use) => {
    const { directory } = await ensureTestContent();
    const edge = await startTestEdge(directory);
    await use(edge);
    await edge.close();
  },
});
export { expect };

/**
 * The settings of the player's page, passed in its query: the version of dash.js, how it is loaded, when Sammy is
 * attached, and Sammy's options.
 */
export interface PlayOptions {
  version?: '4' | '5.1' | '5';
  format?: 'esm' | 'umd' | 'legacy';
  order?: 'before' | 'after' | 'none';
  options?: object;
  /** Settings for dash.js. */
  dash?: { streaming?: { buffer?: object; [name: string]: unknown } };
  mpd?: string;
  /** URL of a sidecar. */
  sidecar?: string;
  /** The argument of dash.js's `setProtectionData`: how to get the decryption keys, by key system. */
  protection?: object;
  /** Whether all requests of the player carry cookies. */
  credentials?: true;
  /** Options of fugu(), which chooses rungs and paces. */
  fugu?: { readonly model: string };
  /** URL of a service worker, which is registered before anything is fetched. */
  worker?: string;
}

/**
 * Returns settings for a buffer target below the duration of the test video. On a busy machine, playback starts late,
 * and all segments before the start are unpaced. With dash.js's default of 30 s, these could be all segments. The name
 * of the second setting differs between dash.js 5 and 4.7.
 */
export const shortBuffer = (version: PlayOptions['version'], buffer_s = 8) => ({
  bufferTimeAtTopQuality: buffer_s,
  [version === '4' ? 'stableBufferTime' : 'bufferTimeDefault']: buffer_s,
});

/**
 * Options for tests that need paced segments: the paper's algorithm, whose pace depends only on the buffer. The default
 * algorithm stops requesting a pace for a while after a download that a busy machine has delayed by two seconds.
 */
export const STEADY = { abr: 'hyb' } as const;

/** Opens the test player and waits until the video moves. */
export async function play(
  page: DrivenPage,
  edge: Pick<TestEdge, 'url'>,
  play: PlayOptions = {},
): Promise<void> {
  const {
    options,
    dash,
    protection,
    fugu,
    mpd = `${edge.url}/content/manifest.mpd`,
    credentials,
    ...rest
  } = play;
  const query = new URLSearchParams({
    ...rest,
    mpd,
    ...(options && { options: JSON.stringify(options) }),
    ...(fugu && { fugu: JSON.stringify(fugu) }),
    ...(credentials && { credentials: 'include' }),
    ...(protection && { protection: JSON.stringify(protection) }),
    dash: JSON.stringify({
      streaming: { ...dash?.streaming, buffer: { ...shortBuffer(rest.version), ...dash?.streaming?.buffer } },
    }),
  });
  await page.goto(`${edge.url}/player.html?${query}`);
  await playhead(page, 0.2);
}

/** Waits until the playhead has passed `time_s`. The error message tells how far it came. */
export async function playhead(page: DrivenPage, time_s: number, timeout_ms = 30_000): Promise<void> {
  await expect
    .poll(() => page.evaluate(() => document.querySelector('video')?.currentTime ?? 0), {
      message: `the playhead passes ${time_s} s`,
      timeout: timeout_ms,
    })
    .toBeGreaterThan(time_s);
}

export const decisions = (page: DrivenPage): Promise<CompletedDecision[]> =>
  page.evaluate(() => [...window.sammy.decisions]);
export const summary = (page: DrivenPage): Promise<SessionSummary> =>
  page.evaluate(() => window.sammy.summary);

/**
 * Waits until `count` paced video segments have arrived after the decision number `after`. Returns all decisions since
 * then.
 */
export async function pacedSegments(
  page: DrivenPage,
  count: number,
  after = -1,
): Promise<CompletedDecision[]> {
  const arrived = async () => (await decisions(page)).filter(({ sequence }) => sequence > after);
  try {
    await expect
      .poll(async () => (await arrived()).filter(isPacedVideo).length, {
        message: `${count} paced video segments have arrived`,
        timeout: 40_000,
      })
      .toBeGreaterThanOrEqual(count);
  } catch (error) {
    const seen = (await decisions(page)).map(described).join('\n');
    throw new Error(`Fewer than ${count} paced video segments have arrived:\n${seen}`, { cause: error });
  }
  return arrived();
}

/** Formats a decision as one line, for the message of a test that timed out. */
const described = (decision: CompletedDecision): string =>
  [
    `${decision.media_type} at ${decision.segment_start_s} s: ${decision.phase}, ${decision.pace_reason}`,
    `${decision.requested_kbps} kbit/s asked, ${decision.buffer_s.toFixed(1)} s buffered`,
    `${decision.outcome} in ${decision.download_ms?.toFixed(0)} ms`,
  ].join(', ');

export const isPacedVideo = ({ media_type, requested_kbps, outcome }: CompletedDecision): boolean =>
  media_type === 'video' && requested_kbps !== null && outcome === 'completed';

/** Expects that nothing was thrown in the page and that the plug-in gave no warning. */
export async function nothingThrown(page: DrivenPage): Promise<void> {
  expect(await page.evaluate(() => window.failures)).toEqual([]);
  expect(await page.evaluate(() => window.warnings)).toEqual([]);
}

/**
 * Expects that no pace caused a rebuffer: at its pace, each segment takes less time than the buffer lasts. Counting
 * rebuffers would prove nothing, because a busy machine can stop the browser and the edge for longer than the buffer
 * lasts.
 */
export async function noPaceStalls(page: DrivenPage): Promise<void> {
  const stalling = (await decisions(page)).filter(
    ({ requested_kbps, outcome, size_bytes, buffer_s, playback_rate }) =>
      requested_kbps !== null &&
      outcome === 'completed' &&
      (size_bytes * 8) / 1000 / requested_kbps > buffer_s / playback_rate,
  );
  expect(stalling).toEqual([]);
}

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
}

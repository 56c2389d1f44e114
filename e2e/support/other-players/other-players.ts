import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from '@playwright/test';
import { build } from 'esbuild';
import { createHandler } from '../../../edge/handler.ts';
import { directoryOrigin } from '../../../edge/local/directory-origin.ts';
import { startEdge, type ResponseEvent } from '../../../edge/local/server.ts';
import type { Origin } from '../../../edge/origin.ts';
import type { PaceLimits } from '../../../edge/policy.ts';
import { originsByPrefix } from '../../../edge/prefixes.ts';
import { paddedLadders } from './padded-ladder.ts';

const root = join(dirname(fileURLToPath(import.meta.url)), '../../..');

/** Players that send CMCD and do not use this project's code. */
export const OTHER_PLAYERS = ['dashjs', 'shaka', 'rx'] as const;
export type OtherPlayer = (typeof OTHER_PLAYERS)[number];

/** Serves the players' page, the players, and padded ladders below `/ladder/`. */
export async function otherPlayersOrigin(): Promise<Origin> {
  return originsByPrefix({
    '/ladder/': await paddedLadders(),
    '/dashjs5/': await directoryOrigin(join(root, 'node_modules/dashjs/dist/modern')),
    '/shaka/': await directoryOrigin(join(root, 'node_modules/shaka-player/dist')),
    '/rx/': await rxPlayerOrigin(),
    '/': await directoryOrigin(join(root, 'e2e/pages')),
  });
}

/** Serves a bundle of RxPlayer, because its package contains no file that a page could load. */
async function rxPlayerOrigin(): Promise<Origin> {
  const { outputFiles } = await build({
    entryPoints: [join(root, 'node_modules/rx-player/dist/es2017/index.js')],
    bundle: true,
    format: 'esm',
    write: false,
  });
  const code = outputFiles[0]?.text ?? '';
  return () => Promise.resolve(new Response(code, { headers: { 'Content-Type': 'text/javascript' } }));
}

export interface SessionOptions {
  readonly player: OtherPlayer;
  /** Bitrates of the rungs, kbit/s. */
  readonly ladder: readonly number[];
  readonly limits: PaceLimits;
  /** The parts of the link's schedule: a rate in kbit/s (null for no limit) and its duration. */
  readonly link: readonly { readonly rate_kbps: number | null; readonly time_s: number }[];
  /** Ends the last part of the link as soon as the top rung has been chosen twice in a row. */
  readonly untilTop?: true;
}

export interface Session {
  readonly start_ms: number;
  readonly stalled_ms: number;
  /** The mean bitrate in the last part of the link's schedule. */
  readonly meanBitrate_kbps: number;
  /**
   * Seconds from the start of the schedule's last part until the player chooses the top rung twice in a row; null if it
   * never does.
   */
  readonly topAfter_s: number | null;
  /** The video segments: the rung's bitrate, and the pace; null for an unpaced segment. */
  readonly segments: readonly { readonly bitrate_kbps: number; readonly pace_kbps: number | null }[];
  readonly errors: readonly string[];
}

/** Plays a ladder in a new page, behind a new Node edge. */
export async function playSession(
  browser: Browser,
  origin: Origin,
  options: SessionOptions,
): Promise<Session> {
  const { player, ladder, limits, link, untilTop } = options;
  const top_kbps = Math.max(...ladder);
  const asked: { rate_kbps: number; at_ms: number }[] = [];
  const responses: ResponseEvent[] = [];
  const handler = createHandler({ origin, limits });
  const edge = await startEdge({
    handler: (request) => {
      const [, rate] = VIDEO_SEGMENT.exec(request.url) ?? [];
      if (rate !== undefined) asked.push({ rate_kbps: Number(rate), at_ms: performance.now() });
      return handler(request);
    },
    congestionControl: 'cubic',
    onResponse: (event) => VIDEO_SEGMENT.test(event.url) && responses.push(event),
  });
  const context = await browser.newContext();
  const page = await context.newPage();
  try {
    const limit = await limitLink(page);
    let [began_ms, opened] = [0, false];
    const since = () => asked.filter(({ at_ms }) => at_ms >= began_ms);
    const topAt = () =>
      since().find(
        ({ rate_kbps }, index, all) => rate_kbps === top_kbps && all[index + 1]?.rate_kbps === top_kbps,
      )?.at_ms;
    for (const { rate_kbps, time_s } of link) {
      await limit(rate_kbps);
      began_ms = performance.now();
      if (!opened)
        await page.goto(
          `${edge.url}/other-player.html?player=${player}&mpd=/ladder/${ladder.join('-')}/manifest.mpd`,
        );
      opened = true;
      const isLast = link.at(-1)?.rate_kbps === rate_kbps;
      while (performance.now() - began_ms < time_s * 1000) {
        if (untilTop && isLast && topAt() !== undefined) break;
        await page.waitForTimeout(200);
      }
    }
    const seen = await page.evaluate(() => ({
      start_ms: window.start_ms ?? Infinity,
      stalled_ms: window.stalled_ms,
      errors: window.playerErrors,
    }));
    const rates = since().map(({ rate_kbps }) => rate_kbps);
    const top_ms = topAt();
    return {
      ...seen,
      meanBitrate_kbps: rates.reduce((sum, rate) => sum + rate, 0) / rates.length,
      topAfter_s: top_ms === undefined ? null : (top_ms - began_ms) / 1000,
      segments: responses.map(({ url, pace_kbps }) => ({
        bitrate_kbps: Number(VIDEO_SEGMENT.exec(url)?.[1]),
        pace_kbps,
      })),
    };
  } finally {
    await context.close();
    await edge.close();
  }
}

const VIDEO_SEGMENT = /\/v(\d+)\/\d+\.m4s/;

declare global {
  interface Window {
    start_ms: number | null;
    stalled_ms: number;
  }
}

/** Returns a function that limits the page's download rate in Chromium's network service. */
async function limitLink(page: Page): Promise<(rate_kbps: number | null) => Promise<void>> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.enable');
  return async (rate_kbps) => {
    await session.send('Network.emulateNetworkConditions', {
      offline: false,
      latency: rate_kbps === null ? 0 : 20,
      downloadThroughput: rate_kbps === null ? -1 : (rate_kbps * 1000) / 8,
      uploadThroughput: -1,
    });
  };
}

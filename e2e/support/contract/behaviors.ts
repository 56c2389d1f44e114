import { setTimeout as sleep } from 'node:timers/promises';
import { directoryOrigin } from '../../../edge/local/directory-origin.ts';
import { ensureTestContent } from '../../../media/sources/footage.ts';
import {
  decisions,
  expect,
  isPacedVideo,
  noPaceStalls,
  pacedSegments,
  playhead,
  shortBuffer,
  STEADY,
  type DrivenPage,
} from '../fixtures.ts';
import { selectSegments, type TestEdge } from '../test-edge.ts';
import { openContract } from './open-contract.ts';

/** The players for which there is an adapter. */
export const PLAYERS = ['dashjs5', 'dashjs4', 'hls1.7', 'hls1.6', 'shaka5'] as const;
export type Player = (typeof PLAYERS)[number];

declare global {
  interface Window {
    /** The page's player, with the interface of the contract. */
    contract: {
      readonly player: object;
      load(folder: string): void;
      fix(index: number): void;
      settings(): string;
      destroy(): void;
    };
    /** The summaries that were emitted. */
    summaries: object[];
  }
}

/** A behavior that every adapter must have. */
export interface Behavior {
  readonly name: string;
  /**
   * Whether the behavior differs so much between players that the gate tests it with all of them. The gate tests other
   * behaviors only with hls.js 1.7.
   */
  readonly everyPlayer?: true;
  /** Whether the behavior depends on the browser more than on the player. */
  readonly everyEngine?: true;
  readonly holds: (page: DrivenPage, edge: TestEdge, player: Player) => Promise<void>;
}

const BUFFER_S = 4;

/** Opens the page with a player whose buffer is shorter than the video, and waits until the video moves. */
async function play(
  page: DrivenPage,
  edge: TestEdge,
  player: Player,
  more: Readonly<Record<string, string>> = {},
): Promise<void> {
  const version = player === 'dashjs4' ? '4' : '5';
  const settings = player.startsWith('hls')
    ? // Set the size too, because `maxBufferLength` alone is only a minimum.
      { maxBufferLength: BUFFER_S, maxBufferSize: 0 }
    : player === 'shaka5'
      ? // Shaka waits up to 1.5 s before it repeats a request, so it needs a larger buffer for a failed first `rtp`.
        { streaming: { bufferingGoal: BUFFER_S + 2 } }
      : { streaming: { buffer: shortBuffer(version, BUFFER_S) } };
  await openContract(page, edge, player, settings, more);
}

const codes = (page: DrivenPage) => page.evaluate(() => window.warnings);

/**
 * Expects that nothing was thrown, that no pace caused a stall, that the player reported no error, and that the plug-in
 * emitted only the warnings `expected`.
 */
async function goesWell(page: DrivenPage, expected: readonly string[] = []): Promise<void> {
  expect(await page.evaluate(() => [window.failures, window.playerErrors])).toEqual([[], []]);
  await noPaceStalls(page);
  expect(await codes(page)).toEqual(expected);
}

export const BEHAVIORS: readonly Behavior[] = [
  {
    name: 'asks for no pace until playback starts, then for one with every segment, and reads the receipts',
    everyPlayer: true,
    async holds(page, edge, player) {
      await play(page, edge, player);
      const all = await pacedSegments(page, 3);
      const initial = all.filter(({ phase }) => phase === 'initial');
      expect(initial.length).toBeGreaterThan(0);
      expect(initial.filter(({ requested_kbps }) => requested_kbps !== null)).toEqual([]);
      const paced = all.filter(isPacedVideo);
      for (const { applied_kbps, requested_kbps, bitrate_kbps } of paced) {
        expect(applied_kbps).toBe(requested_kbps);
        // A pace is never below the bitrate of its segment, and here a multiple of the top bitrate.
        expect(requested_kbps).toBeGreaterThan(bitrate_kbps);
      }
      expect(all.some(({ media_type, requested_kbps }) => media_type === 'audio' && requested_kbps)).toBe(
        true,
      );
      // Each paced request reached the edge with exactly one `rtp`.
      const asked = selectSegments(edge.responses).filter(({ asked_kbps }) => asked_kbps !== null);
      for (const { url } of asked) expect(decodeURIComponent(url).match(/[=,]rtp=/g)?.length, url).toBe(1);
      expect(await page.evaluate(() => window.sammy.pacingHonored)).not.toBe('no');
      await goesWell(page);
    },
  },
  {
    name: 'plays on, paced, after a seek, and the next source is another session',
    async holds(page, edge, player) {
      await play(page, edge, player);
      const before = await pacedSegments(page, 1);
      await page.evaluate(() => {
        const video = document.querySelector('video');
        if (video) video.currentTime = 15;
      });
      await playhead(page, 15.5);
      await pacedSegments(page, 1, before.at(-1)?.sequence);
      await goesWell(page);
      await page.evaluate(() => window.contract.load('/content/../content'));
      await expect.poll(() => page.evaluate(() => window.summaries.length)).toBe(1);
      await expect.poll(async () => (await decisions(page))[0]?.segment_start_s).toBe(0);
      expect((await decisions(page))[0]?.sequence).toBeLessThan(2);
      await pacedSegments(page, 1);
    },
  },
  {
    name: 'is idle while the viewer pauses with a full buffer, and goes on, paced',
    async holds(page, edge, player) {
      await play(page, edge, player);
      await pacedSegments(page, 1);
      await page.evaluate(() => document.querySelector('video')?.pause());
      const served = () => selectSegments(edge.responses).length;
      // No request for longer than a segment plays.
      await expect
        .poll(async () => {
          const before = served();
          await sleep(2500);
          return served() - before;
        })
        .toBe(0);
      const [at_s, paused] = await page.evaluate(() => [
        document.querySelector('video')?.currentTime ?? 0,
        window.sammy.decisions.at(-1)?.sequence ?? 0,
      ]);
      await page.evaluate(() => document.querySelector('video')?.play());
      await playhead(page, at_s + 2);
      await pacedSegments(page, 1, paused);
      await goesWell(page);
    },
  },
  {
    name: 'stops asking an origin that refuses rtp, and does not stall',
    everyPlayer: true,
    async holds(page, edge, player) {
      edge.refusesRtp = true;
      await play(page, edge, player);
      await expect.poll(() => codes(page), { timeout: 20_000 }).toEqual(['rtp-refused']);
      await playhead(page, 4);
      const unasked = async () =>
        (await decisions(page)).filter(({ pace_reason }) => pace_reason === 'rtp-refused');
      await expect.poll(async () => (await unasked()).length).toBeGreaterThan(1);
      const after = await unasked();
      expect(new Set(after.map(({ outcome }) => outcome))).toEqual(new Set(['completed']));
      // A refused request may take at most half of the buffered time. Stalls are not tested, because a busy machine can
      // stall by itself.
      const refused = (await decisions(page)).filter(({ outcome }) => outcome === 'failed');
      expect(refused.length).toBeGreaterThan(0);
      for (const { download_ms, buffer_s } of refused) expect(download_ms).toBeLessThan(500 * buffer_s);
      await goesWell(page, ['rtp-refused']);
    },
  },
  {
    name: 'leaves a quality that the application has fixed, and paces it',
    async holds(page, edge, player) {
      await play(page, edge, player);
      const before = (await pacedSegments(page, 1)).at(-1)?.sequence ?? 0;
      await page.evaluate(() => window.contract.fix(0));
      // Requests that are already in flight may be for another rung.
      const video = async () =>
        (await decisions(page)).filter(
          ({ sequence, media_type }) => media_type === 'video' && sequence > before + 2,
        );
      await expect.poll(async () => (await video()).filter(isPacedVideo).length).toBeGreaterThan(2);
      const [lowest] = new Set((await video()).slice(1).map(({ representation }) => representation));
      expect(lowest).toBe('v300');
      for (const each of (await video()).slice(1)) expect(each.representation).toBe('v300');
      await goesWell(page);
    },
  },
  {
    name: 'gives everything back when it is detached, and can be attached again',
    everyPlayer: true,
    async holds(page, edge, player) {
      await play(page, edge, player);
      await pacedSegments(page, 1);
      const before = await page.evaluate(() => window.settingsBefore);
      await page.evaluate(() => {
        window.sammy.detach();
      });
      const mark = edge.responses.length;
      expect(JSON.parse(await page.evaluate(() => window.contract.settings()))).toEqual(JSON.parse(before));
      expect(await page.evaluate(() => window.summaries.length)).toBe(1);
      await expect.poll(() => selectSegments(edge.responses.slice(mark)).length).toBeGreaterThan(3);
      // Only requests that were in flight at the detachment, at most one per media type, may still carry `rtp`.
      const asked = selectSegments(edge.responses.slice(mark)).filter(
        ({ asked_kbps }) => asked_kbps !== null,
      );
      expect(asked.length).toBeLessThanOrEqual(2);
      await goesWell(page);
      if (player === 'dashjs4') return;
      await page.evaluate(() => {
        window.attach();
      });
      await pacedSegments(page, 1);
      await page.evaluate(() => {
        window.contract.destroy();
      });
      await expect.poll(() => page.evaluate(() => window.failures)).toEqual([]);
    },
  },
  {
    name: 'gives up a download that would outlast the buffer, for a lower rung',
    async holds(page, edge, player) {
      const film = await directoryOrigin((await ensureTestContent()).directory);
      // From segment 4 on, the top rung arrives at 0.4 Mbit/s.
      edge.fault = async (url) => {
        if (!/v3300\/([4-9]|\d\d)\.m4s$/.test(url.pathname)) return undefined;
        const { body } = await film(new Request(new URL(url.pathname.replace('/content', ''), url)));
        const bytes = new Uint8Array(await new Response(body).arrayBuffer());
        return new Response(slowly(bytes, 400), { headers: { 'Content-Length': `${bytes.length}` } });
      };
      await play(page, edge, player);
      const abandoned = async () => (await decisions(page)).filter(({ outcome }) => outcome === 'abandoned');
      await expect.poll(async () => (await abandoned()).length, { timeout: 20_000 }).toBeGreaterThan(0);
      const [first] = await abandoned();
      const again = async () =>
        (await decisions(page)).find(
          ({ sequence, segment_start_s, media_type }) =>
            sequence > (first?.sequence ?? 0) &&
            media_type === 'video' &&
            segment_start_s === first?.segment_start_s,
        );
      await expect.poll(async () => (await again())?.outcome).toBe('completed');
      const { bitrate_kbps = NaN, abr_reason } = (await again()) ?? {};
      expect(bitrate_kbps).toBeLessThan(first?.bitrate_kbps ?? NaN);
      expect(abr_reason).toBe('instead-of-abandoned');
      expect(await page.evaluate(() => [window.failures, window.playerErrors])).toEqual([[], []]);
    },
  },
  {
    name: 'learns nothing from a segment of the browser cache',
    everyEngine: true,
    async holds(page, edge, player) {
      const forgetful = { options: JSON.stringify({ ...STEADY, storage: null }) };
      const cachedAtStart = async () => {
        await play(page, edge, player, forgetful);
        await playhead(page, 2);
        const all = await decisions(page);
        const firstOfNetwork = all.findIndex(({ from_cache }) => !from_cache);
        return all.slice(0, firstOfNetwork < 0 ? undefined : firstOfNetwork);
      };
      expect(await cachedAtStart()).toEqual([]);
      // Load the same page again: its first segments are now in the browser's cache. WebKit sometimes stores only the
      // first segment of a load on a busy machine, so there may be more loads.
      let cached = await cachedAtStart();
      for (let more = 2; cached.length < 2 && more > 0; more--) cached = await cachedAtStart();
      expect(cached.length).toBeGreaterThan(1);
      expect(cached.filter(({ estimate_kbps }) => estimate_kbps !== null)).toEqual([]);
    },
  },
  {
    name: 'lets the player choose when an algorithm of the application throws, with one warning',
    async holds(page, edge, player) {
      await play(page, edge, player);
      await page.evaluate(() => {
        const throwing = () => {
          throw new Error('an algorithm fails');
        };
        window.sammy.update({
          abr: { name: 'throws', session: () => ({ choose: throwing, requiredThroughput: throwing }) },
        });
      });
      await expect.poll(() => codes(page)).toEqual(['sammy-failed']);
      expect(await page.evaluate(() => window.sammy.options.abr)).toBe('player');
      const at_s = await page.evaluate(() => document.querySelector('video')?.currentTime ?? 0);
      await playhead(page, at_s + 3);
      await goesWell(page, ['sammy-failed']);
    },
  },
];

/** Returns a body that arrives at `rate_kbps`. */
function slowly(bytes: Uint8Array, rate_kbps: number): ReadableStream<Uint8Array> {
  const EVERY_MS = 100;
  const part_bytes = (rate_kbps * EVERY_MS) / 8;
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
      controller.enqueue(bytes.slice(sent, sent + part_bytes));
      sent += part_bytes;
      if (sent >= bytes.length) controller.close();
    },
  });
}

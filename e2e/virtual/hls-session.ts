import { buildSync } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { packaged } from '../../emulation/player/page/lab/scripts.ts';
import { VirtualLink } from '../../emulation/player/page/in-process/virtual-link.ts';
import { openPage } from '../../emulation/player/page/open-page.ts';
import { filmFor } from '../../emulation/player/model/player/film-for.ts';
import type { Capacity } from '../../emulation/network/virtual/rounds/capacity.ts';
import { constantRate } from '../../emulation/network/virtual/rounds/rates.ts';
import { seededRandom } from '../../emulation/ground/statistics/random.ts';
import { bigBuckBunny } from '../../media/films/big-buck-bunny.ts';
import type { CompletedDecision } from '../../src/index.ts';

/** The tested versions of hls.js, by the names of their packages in this repository. */
export const HLS_VERSIONS = { '1.7': 'hls.js', '1.6': 'hls.js-v1.6' } as const;
export type HlsVersion = keyof typeof HLS_VERSIONS;

export interface HlsOptions {
  /** The capacity of the link, Mbit/s, or its schedule. */
  readonly capacity?: number | Capacity;
  readonly seconds?: number;
  /** Configuration of hls.js. */
  readonly config?: object;
  /** Options of the plug-in; null plays without the plug-in. */
  readonly options?: object | null;
  /** Code for the page to run after `loadSource`. */
  readonly then?: string;
}

export interface HlsSession {
  readonly decisions: readonly CompletedDecision[];
  readonly warnings: readonly string[];
  /** The values that the page's script has stored in `seen`. */
  readonly seen: Readonly<Record<string, unknown>>;
  /** The requests for segments. */
  readonly requests: readonly { readonly at_ms: number; readonly url: URL; readonly cmcd: string }[];
  /** Uncaught errors of scripts, and fatal errors of hls.js. */
  readonly errors: readonly unknown[];
  readonly playhead_s: number;
}

const film = filmFor(bigBuckBunny, 60);
let bundled: string | undefined;

/** Bundles the plug-in for hls.js as a script, without shortening internal names. */
function pluginScript(): string {
  bundled ??= buildSync({
    entryPoints: [fileURLToPath(new URL('../../src/hls.ts', import.meta.url))],
    ...{ bundle: true, write: false, format: 'iife', globalName: 'plugin', target: 'es2022' },
  }).outputFiles[0]?.text;
  return `${bundled ?? ''} window.plugin = plugin;`;
}

/** Plays with an unmodified hls.js and the plug-in in virtual time, over our edge. */
export function playHls(
  version: HlsVersion,
  { capacity = 40, seconds = 20, config = {}, options = {}, then = '' }: HlsOptions = {},
): HlsSession {
  const rate = typeof capacity === 'number' ? constantRate(capacity) : capacity;
  const link = new VirtualLink({
    film,
    network: { capacity: rate, rtt_ms: 20, queue_bytes: 100_000 },
  });
  const requests: { at_ms: number; url: URL; cmcd: string }[] = [];
  const page = openPage({
    clock: link.clock,
    wire: {
      ask(asked, listener) {
        const url = new URL(asked.url);
        const { headers } = asked;
        const parts = ['request', 'object', 'status', 'session'].map((part) => headers.get(`cmcd-${part}`));
        const cmcd = [url.searchParams.get('CMCD'), ...parts].filter(Boolean).join();
        if (url.pathname.endsWith('.m4s')) requests.push({ at_ms: link.clock.now_ms, url, cmcd });
        return link.wire.ask(asked, listener);
      },
    },
    url: 'http://film.example/',
    opened_ms: 1_700_000_000_000,
    random: seededRandom(1),
  });
  page.document.body.appendChild(page.document.createElement('video'));
  const { code, filename } = packaged(HLS_VERSIONS[version]);
  page.load(code, filename);
  page.load(pluginScript(), 'plugin.js');
  page.load(
    `
    const video = document.querySelector('video');
    const hls = new window.Hls({ enableWorker: false, ...${JSON.stringify(config)} });
    Object.assign(window, { decisions: [], warnings: [], seen: {}, fatal: [] });
    const { decisions, warnings, seen, fatal } = window;
    hls.on('hlsError', (_, error) => error.fatal && fatal.push(error.details));
    const attach = (options = {}) => {
      const sammy = window.plugin.attachSammy(hls, { storage: null, ...options });
      sammy.on('decision', (decision) => decisions.push(decision));
      sammy.on('warning', ({ message }) => warnings.push(message));
      return sammy;
    };
    const sammy = ${options === null ? 'undefined' : `attach(${JSON.stringify(options)})`};
    hls.loadSource('http://film.example/master.m3u8');
    hls.attachMedia(video);
    video.play();
    ${then}`,
    'play.js',
  );
  link.run(() => link.clock.now_ms >= 1000 * seconds, 1000 * seconds + 1000);
  const { decisions, warnings, seen, fatal } = page.window as unknown as HlsSession & {
    readonly fatal: readonly string[];
  };
  const video = page.document.querySelector('video') as unknown as { readonly currentTime: number };
  return {
    // Copy the objects, so that their constructors are those of this realm and not of the page's.
    ...(JSON.parse(JSON.stringify({ decisions, warnings, seen })) as HlsSession),
    ...{ requests, errors: [...page.errors, ...fatal], playhead_s: video.currentTime },
  };
}

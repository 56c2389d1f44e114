import { buildSync } from 'esbuild';
import { fileURLToPath } from 'node:url';
import { readCmcd, type CmcdReading } from '../../edge/cmcd.ts';
import { makeLadder } from '../../src/film/ladder.ts';
import type { Film } from '../../emulation/player/model/player/film.ts';
import { seededRandom } from '../../emulation/ground/statistics/random.ts';
import { constantRate } from '../../emulation/network/virtual/rounds/rates.ts';
import { packaged } from '../../emulation/player/page/lab/scripts.ts';
import type { WireRequest, Listener, Wire } from '../../emulation/player/page/network/wire.ts';
import { openPage, type Page } from '../../emulation/player/page/open-page.ts';
import { FilmServer } from '../../emulation/player/page/in-process/film-server.ts';
import { VirtualLink } from '../../emulation/player/page/in-process/virtual-link.ts';

/** A representation: the bitrate of its segments, and the manifest's bitrate if it differs. */
export interface OddRung {
  readonly id: string;
  readonly bitrate_kbps: number;
  /** The manifest's @bandwidth in kbit/s, if it differs from the bitrate. */
  readonly nominal_kbps?: number;
}

/** The ladder of most worlds. */
export const ODD_RUNGS: readonly OddRung[] = [300, 700, 1500, 2300, 3300].map((bitrate_kbps) => ({
  id: `v${bitrate_kbps}`,
  bitrate_kbps,
}));

/** Properties of a server, a manifest and a page that occur in practice and not in a laboratory. */
export interface OddWorld {
  /** The name of the dash.js package to use. */
  readonly dashjs?: string;
  readonly mbps: number;
  readonly rtt_ms?: number;
  readonly seconds: number;
  readonly rungs: readonly OddRung[];
  readonly segment_s?: number;
  /** The size of each segment as a multiple of the size implied by its bitrate; 1 for all segments by default. */
  readonly variation?: (segment: number) => number;
  /** Whether the server is our edge. Otherwise it neither paces nor sends receipts. */
  readonly edge?: boolean;
  /** Whether the server omits Timing-Allow-Origin. */
  readonly hidesTiming?: boolean;
  /** Whether the browser's cache has the URL (path and query). Cached responses arrive in 3 ms. */
  readonly cached?: (url: URL) => boolean;
  /**
   * Returns the status of a request that fails; undefined for other requests. Called for the requests of all sessions.
   */
  readonly fails?: (url: URL) => number | undefined;
  /** Returns the fault of a request; undefined if the server answers normally. */
  readonly fault?: (asked: Asked) => Fault | undefined;
  /** Whether all segments are byte ranges of one file. */
  readonly isOneFile?: boolean;
  readonly manifest?: (mpd: string) => string;
  /**
   * Scripts of the page: `start` replaces `initialize`; `before` and `after` run around `attachSammy`; `options` are
   * its options.
   */
  readonly start?: string;
  readonly before?: string;
  readonly after?: string;
  readonly options?: string;
}

/** A request between the page and the server. */
export interface Asked {
  /** The URL of the segment's own file, also in a world where all segments are byte ranges of one file. */
  readonly url: URL;
  /** Whether the request asks for a pace, in its query or its headers. */
  readonly isPaced: boolean;
  /** The number of earlier requests in the session. */
  readonly count: number;
  readonly at_ms: number;
}

/**
 * A fault: a redirect that loses the query; an immediate response with a status and a body; or a response that stops
 * after a number of bytes.
 */
export type Fault =
  | { readonly redirects: true }
  | { readonly status: number; readonly body?: string; readonly type?: string }
  | {
      readonly stopsAfter_bytes: number;
      /** The time after which the connection is reset; never by default. */
      readonly resetsAfter_ms?: number;
    };

/** The requests and results of a session. */
export interface OddSession {
  readonly page: Page;
  /** The requests for video segments, in order. */
  readonly requests: readonly {
    readonly id: string;
    readonly segment: number;
    readonly url: URL;
    readonly at_ms: number;
    readonly rtp: number;
  }[];
  /** The CMCD of all requests for video and audio segments. */
  readonly cmcd: readonly CmcdReading[];
  readonly urls: readonly URL[];
  readonly stalls: number;
  readonly stalled_s: number;
  /** The time at which playback began; Infinity if it never did. */
  readonly started_ms: number;
  readonly bytes: number;
  /** The mean actual bitrate of the played video, kbit/s. */
  readonly mean_kbps: number;
}

const ORIGIN = 'http://film.example';
const CACHED_MS = 3;
/** The default start script: initializes the player without listeners. */
const INITIALIZE = `player.initialize(video, '${ORIGIN}/manifest.mpd', true);`;

const HIDE_TIMING = `{
  const shown = performance.getEntriesByType;
  const hidden = { transferSize: 0, encodedBodySize: 0, decodedBodySize: 0, requestStart: 0, responseStart: 0 };
  performance.getEntriesByType = (type) => shown(type).map((entry) => ({ ...entry, ...hidden }));
}`;

const WATCH = `
  window.watched = { stalls: 0, stalled_ms: 0, started_ms: Infinity };
  let since;
  video.addEventListener('waiting', () => {
    if (watched.started_ms < Infinity && !video.seeking) since ??= performance.now();
  });
  video.addEventListener('playing', () => {
    const now = performance.now();
    if (since !== undefined && now - since >= 100) watched.stalls += 1;
    if (since !== undefined && now - since >= 100) watched.stalled_ms += now - since;
    since = undefined;
    watched.started_ms = Math.min(now, watched.started_ms);
  });
  window.stillStalled_ms = () => since === undefined ? 0 : performance.now() - since;
`;

let bundled: string | undefined;
/** Bundles the plug-in for a script tag, which supports dash.js 4.7 and 5. */
const plugIn = (): string =>
  (bundled ??=
    buildSync({
      entryPoints: [fileURLToPath(new URL('../../src/dashjs-4.ts', import.meta.url))],
      ...{ bundle: true, write: false, format: 'iife', globalName: 'dashjsSammy', target: 'es2022' },
    }).outputFiles[0]?.text ?? '');

/** Plays with dash.js alone, or with the plug-in. */
export function playOddWorld(world: OddWorld, withSammy: boolean): OddSession {
  const { dashjs = 'dashjs', mbps, rtt_ms = 5, seconds, hidesTiming = false } = world;
  const film = makeFilm(world);
  const link = new VirtualLink({
    film,
    network: { capacity: constantRate(mbps), rtt_ms, queue_bytes: 100_000 },
  });
  const { clock } = link;
  const asked: { url: URL; at_ms: number }[] = [];
  const cmcd: CmcdReading[] = [];
  const page = openPage({
    clock,
    wire: oddWire(world, film, link, (url, headers) => {
      asked.push({ url, at_ms: clock.now_ms });
      if (url.pathname.endsWith('.m4s'))
        cmcd.push(readCmcd({ url: url.href, headers: new Headers([...headers]) }));
    }),
    ...{ url: `${ORIGIN}/`, opened_ms: 1.7e12, random: seededRandom(1) },
    globals: { console: { log: () => undefined, warn: () => undefined, error: () => undefined } },
  });
  const { code, filename } = packaged(dashjs);
  page.load(code, filename);
  page.load(
    `
    ${hidesTiming ? HIDE_TIMING : ''}
    window.video = document.createElement('video');
    window.player = dashjs.MediaPlayer().create();
    ${WATCH}
    ${world.before ?? ''}
    ${withSammy ? `${plugIn()}; window.attach = () => (window.sammy = dashjsSammy.attachSammy(player, ${world.options ?? '{}'}));` : 'window.attach = () => undefined;'}
    ${world.start ?? `${INITIALIZE} attach();`}
    ${world.after ?? ''}
    `,
    'session.js',
  );
  let over = false;
  clock.at(seconds * 1000, () => (over = true));
  link.run(() => over, seconds * 1000);
  return { ...summarize(world, page, asked), cmcd };
}

function summarize(
  { rungs, segment_s = 2, variation = () => 1 }: OddWorld,
  page: Page,
  asked: readonly { url: URL; at_ms: number }[],
): Omit<OddSession, 'cmcd'> {
  const requests = asked.flatMap(({ url, at_ms }) => {
    const [, id = '', number = ''] = /^\/([^/]+)\/(\d+)\.m4s$/.exec(url.pathname) ?? [];
    if (!rungs.some((rung) => rung.id === id)) return [];
    return [{ id, segment: Number(number) - 1, url, at_ms, rtp: parseRtp(url) }];
  });
  const findBitrate = (id: string) => rungs.find((rung) => rung.id === id)?.bitrate_kbps ?? 0;
  const latest = new Map(requests.map(({ id, segment }) => [segment, findBitrate(id)]));
  const watched = page.window.watched as { stalls: number; stalled_ms: number; started_ms: number };
  const still_ms = (page.window.stillStalled_ms as () => number)();
  const { currentTime } = page.window.video as HTMLVideoElement;
  const shown = [...latest].filter(([segment]) => segment * segment_s < currentTime);
  return {
    ...{ page, requests, urls: asked.map(({ url }) => url) },
    stalls: watched.stalls + (still_ms >= 100 ? 1 : 0),
    stalled_s: (watched.stalled_ms + still_ms) / 1000,
    started_ms: watched.started_ms,
    bytes: requests.reduce(
      (sum, { id, segment }) => sum + findBitrate(id) * 125 * segment_s * variation(segment),
      0,
    ),
    mean_kbps: shown.reduce((sum, [, bitrate]) => sum + bitrate, 0) / Math.max(1, shown.length),
  };
}

/** Parses the pace that a request asks for in its query; NaN if there is none. */
const parseRtp = ({ searchParams }: URL): number =>
  Number(/(?:^|,)rtp=(\d+)/.exec(searchParams.get('CMCD') ?? '')?.[1] ?? NaN);

function makeFilm({ rungs, segment_s = 2, seconds, variation = () => 1 }: OddWorld): Film {
  const count = Math.ceil((seconds + 60) / segment_s);
  const sizesAt = (kbps: number) =>
    Array.from({ length: count }, (_, segment) => Math.round(kbps * 125 * segment_s * variation(segment)));
  const video = makeLadder(
    rungs.map(({ id, bitrate_kbps, nominal_kbps = bitrate_kbps }) => ({
      id,
      bandwidth: nominal_kbps * 1000,
    })),
  );
  if (!video) throw new Error('a world needs rungs');
  const audio = makeLadder([{ id: 'a96', bandwidth: 96_000 }]);
  const representations = [...rungs, { id: 'a96', bitrate_kbps: 96 }].map(
    ({ id, bitrate_kbps }) => [id, { segment_bytes: sizesAt(bitrate_kbps) }] as const,
  );
  return {
    sidecar: {
      version: 1,
      segment_duration_s: Array.from({ length: count }, () => segment_s),
      representations: Object.fromEntries(representations),
    },
    ladders: { video, ...(audio && { audio }) },
  };
}

type Heard = (url: URL, headers: WireRequest['headers']) => void;

function oddWire(world: OddWorld, film: Film, link: VirtualLink, heard: Heard): Wire {
  const { clock, wire } = link;
  const server = new FilmServer(film);
  /** Answers a request without the network. */
  const answer = (status: number, type: string, bytes: Uint8Array, size_bytes: number, listener: Listener) =>
    clock.at(clock.now_ms + CACHED_MS, () => {
      const body = {
        write: (into: Uint8Array, from: number) => into.set(bytes.subarray(from, from + into.length)),
      };
      const headers = new Map([['content-type', type]]);
      listener.began({ status, statusText: '', headers, size_bytes }, body);
      listener.ended(size_bytes);
    });
  let count = 0;
  return {
    ask(given: WireRequest, listener: Listener) {
      const asked = world.isOneFile ? segmentAsked(world, given) : given;
      const url = new URL(asked.url);
      heard(url, asked.headers);
      const file = server.get(url.pathname);
      if (url.pathname === '/manifest.mpd' && file) {
        const mpd = rewriteManifest(world, new TextDecoder().decode(file.begins));
        const bytes = new TextEncoder().encode(mpd);
        return answer(200, file.type, bytes, bytes.length, listener);
      }
      const status = world.fails?.(url);
      if (status !== undefined) return answer(status, 'text/plain', new Uint8Array(0), 0, listener);
      const isPaced = asksForPace(asked);
      const fault = world.fault?.({ url, isPaced, count: count++, at_ms: clock.now_ms });
      if (fault && 'status' in fault) {
        const body = new TextEncoder().encode(fault.body ?? '');
        return answer(fault.status, fault.type ?? 'text/plain', body, body.length, listener);
      }
      if (fault && 'redirects' in fault)
        return wire.ask({ ...asked, url: url.origin + url.pathname, headers: new Map() }, listener);
      if (fault) {
        const stopped = stopping(fault, listener);
        const giveUp = fault.stopsAfter_bytes > 0 ? wire.ask(asked, stopped) : () => undefined;
        const resets_ms = clock.now_ms + (fault.resetsAfter_ms ?? Infinity);
        const cancel = resets_ms < Infinity ? clock.at(resets_ms, () => listener.failed()) : giveUp;
        return () => {
          giveUp();
          cancel();
        };
      }
      if (file && world.cached?.(url)) return answer(200, file.type, file.begins, file.size_bytes, listener);
      if (world.edge) return wire.ask(asked, listener);
      return wire.ask(
        { ...asked, url: url.origin + url.pathname },
        { ...listener, began: (head, body) => listener.began(untold(head), body) },
      );
    },
  };
}

const asksForPace = ({ url, headers }: WireRequest): boolean =>
  /rtp(=|%3D)/.test([url, ...headers.values()].join(' '));

/** Wraps a listener so that its response stops after a number of bytes. */
function stopping({ stopsAfter_bytes }: { stopsAfter_bytes: number }, listener: Listener): Listener {
  let heard = 0;
  return {
    began: (head, body) => listener.began(head, body),
    arrived: (bytes) => {
      if (heard < stopsAfter_bytes) listener.arrived((heard = Math.min(bytes, stopsAfter_bytes)));
    },
    ended: () => undefined,
    failed: () => listener.failed(),
  };
}

/** Removes the receipt from a response. */
const untold = <Head extends { readonly headers: ReadonlyMap<string, string> }>(head: Head): Head => ({
  ...head,
  headers: new Map([...head.headers].filter(([name]) => !/^(cmsd|server-timing)/.test(name))),
});

const ONE_FILE = '/everything.mp4';

/** The bytes reserved for each segment in the file of all segments, so that no two byte ranges overlap. */
const ROOM_BYTES = 2 ** 24;

/** Rewrites a manifest so that all segments are byte ranges of one file. */
function inOneFile({ rungs, segment_s = 2, seconds }: OddWorld, mpd: string): string {
  const count = Math.ceil((seconds + 60) / segment_s);
  const ids = [...rungs.map(({ id }) => id), 'a96'];
  const list = (id: string) => {
    const from = ids.indexOf(id) * (count + 1);
    const range = (index: number) => `${(from + index) * ROOM_BYTES}-${(from + index + 1) * ROOM_BYTES - 1}`;
    const segments = Array.from(
      { length: count },
      (_, index) => `<SegmentURL mediaRange="${range(index + 1)}"/>`,
    );
    return `<BaseURL>${ONE_FILE.slice(1)}</BaseURL><SegmentList timescale="1000" duration="${segment_s * 1000}"><Initialization range="${range(0)}"/>${segments.join('')}</SegmentList>`;
  };
  return mpd
    .replaceAll(/<SegmentTemplate[\s\S]*?(\/>|<\/SegmentTemplate>)/g, '')
    .replaceAll(
      /(<Representation[^>]*id="([^"]*)"[^>]*?)(\/>|>[\s\S]*?<\/Representation>)/g,
      (_, begins: string, id: string) => `${begins}>${list(id)}</Representation>`,
    );
}

/** Converts a request for a byte range of the one file to a request for the segment's own file. */
function segmentAsked({ rungs, segment_s = 2, seconds }: OddWorld, asked: WireRequest): WireRequest {
  const url = new URL(asked.url);
  const from = Number(/bytes=(\d+)/.exec(asked.headers.get('range') ?? '')?.[1]) / ROOM_BYTES;
  if (url.pathname !== ONE_FILE || !Number.isFinite(from)) return asked;
  const count = Math.ceil((seconds + 60) / segment_s);
  const id = [...rungs.map((rung) => rung.id), 'a96'][Math.floor(from / (count + 1))] ?? '';
  const index = from % (count + 1);
  url.pathname = `/${id}/${index === 0 ? 'init.mp4' : `${index}.m4s`}`;
  return { ...asked, url: url.href };
}

function rewriteManifest(world: OddWorld, mpd: string): string {
  const { segment_s = 2, manifest = (text) => text, isOneFile = false } = world;
  const text = manifest(
    mpd
      .replaceAll('duration="2000"', `duration="${segment_s * 1000}"`)
      .replace('maxSegmentDuration="PT2S"', `maxSegmentDuration="PT${segment_s}S"`),
  );
  return isOneFile ? inOneFile(world, text) : text;
}

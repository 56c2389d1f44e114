import { vi } from 'vitest';
import type { AttachOptions, SammyHandle } from '../../host/handle.ts';
import { attachSammy } from '../../index.ts';
import type { TextStorage } from '../../learning/text-storage.ts';
import { sessionSummary } from '../../session/summary.ts';

type Listener = (event: object) => void;
type Interceptor = (message: object) => Promise<object>;

interface Rule {
  getSwitchRequest(context: object): unknown;
  shouldAbandon(context: object): unknown;
}

export const URL_OF_SEGMENT = 'http://edge/1.m4s';

/** dash.js's FragmentModel. It claims to be loading every request. */
const LOADER = { getRequests: () => ({ includes: () => true }), abortRequests: () => undefined };

/** A fake dash.js 5 player with the parts that Sammy uses. It records the calls. */
function createFakeDashjs({
  autoPlay = true,
  paused = false,
  view = true,
  currentTime = 0,
  bitrates_kbps = [1000],
} = {}) {
  const representations = bitrates_kbps.map((rate, index) => ({
    id: 'abc'.charAt(index),
    bandwidth: rate * 1000,
  }));
  /** The part of dash.js's ABR controller that rules can access. */
  const abrController: { getPossibleVoRepresentationsFilteredBySettings?: () => object[] } = {
    getPossibleVoRepresentationsFilteredBySettings: () => representations,
  };
  const listeners = new Map<string, Listener>();
  const rules = new Map<string, Rule>();
  const buffered = { seconds: 10 };
  const touched = { rules: 0 };
  const source = { url: 'https://cdn.example/film.mpd' };
  const video = { paused: paused || !autoPlay, currentTime, buffered: { length: 0 } };
  const interceptors: { request?: Interceptor; response?: Interceptor } = {};
  const settings = {
    streaming: {
      abr: { rules: { l2ARule: { active: false } }, initialBitrate: { video: -1 } },
      lastBitrateCachingInfo: { enabled: true },
      buffer: { fastSwitchEnabled: true },
      cmcd: { enabled: false },
    },
  };
  const player = {
    getVersion: () => '5.2.1',
    isReady: () => true,
    getSettings: () => settings,
    updateSettings: ({
      streaming,
    }: {
      streaming: {
        abr?: { initialBitrate?: { video: number }; rules?: object };
        lastBitrateCachingInfo?: object;
        buffer?: object;
      };
    }) => {
      if (streaming.abr?.rules) touched.rules += 1;
      Object.assign(settings.streaming.buffer, streaming.buffer);
      Object.assign(settings.streaming.lastBitrateCachingInfo, streaming.lastBitrateCachingInfo);
      if (streaming.abr?.initialBitrate) settings.streaming.abr.initialBitrate = streaming.abr.initialBitrate;
    },
    on: (type: string, listener: Listener) => {
      listeners.set(type, listener);
      // A single loader loads all segments.
      if (type === 'fragmentLoadingCompleted') listener({ sender: LOADER });
    },
    off: (type: string) => listeners.delete(type),
    addABRCustomRule: (_: string, name: string, factory: () => { create: () => Rule }) =>
      rules.set(name, factory().create()),
    removeABRCustomRule: (name: string) => rules.delete(name),
    getABRCustomRules: () => [...rules.keys()].map((rulename) => ({ rulename })),
    addRequestInterceptor: (interceptor: Interceptor) => (interceptors.request = interceptor),
    removeRequestInterceptor: () => delete interceptors.request,
    addResponseInterceptor: (interceptor: Interceptor) => (interceptors.response = interceptor),
    removeResponseInterceptor: () => delete interceptors.response,
    getRepresentationsByType: () => representations,
    getBufferLength: () => buffered.seconds,
    getVideoElement: () => (view ? video : raise('no view is attached')),
    getTargetLiveDelay: () => 0,
    isDynamic: () => false,
    duration: () => 60,
    getPlaybackRate: () => 1,
    getAutoPlay: () => autoPlay,
    getSource: () => source.url,
  };
  return { player, source, settings, buffered, touched, abrController, listeners, rules, interceptors };
}

/** The fake player, and functions with which a test fires its events and sends its requests. */
export function createFakePlayer(given: Parameters<typeof createFakeDashjs>[0] = {}) {
  const { listeners, rules, interceptors, ...fake } = createFakeDashjs(given);
  const { abrController } = fake;
  return {
    ...fake,
    /** Simulates the player's own reset(): ends the source, then removes rules and interceptors. */
    reset: () => {
      listeners.get('streamTeardownComplete')?.({});
      rules.clear();
      delete interceptors.request;
      delete interceptors.response;
    },
    rule: () => rules.get('SammyRule'),
    /** Asks Sammy's rule for the rung of the next segment, like dash.js. */
    chooseRung: (rule = rules.get('SammyRule')) =>
      rule?.getSwitchRequest({
        getMediaType: () => 'video',
        getMediaInfo: () => ({}),
        getAbrController: () => abrController,
      }),
    fire: (type: string) => listeners.get(type)?.({}),
    /** Requests a segment of rung `c`. Returns whether Sammy abandons it when `arrived` of 250,000 bytes have arrived after `elapsed_ms`. */
    abandons: async (arrived: number, elapsed_ms: number, startTime: number) => {
      const request = {
        ...{ type: 'MediaSegment', url: URL_OF_SEGMENT, mediaType: 'video', startTime, duration: 2 },
        ...{ representation: { id: 'c' }, bytesLoaded: arrived, bytesTotal: 250_000 },
        firstByteDate: vi.getMockedSystemTime(),
      };
      await interceptors.request?.({ url: URL_OF_SEGMENT, customData: { request } });
      vi.advanceTimersByTime(elapsed_ms);
      return rules.get('SammyAbandonRule')?.shouldAbandon({
        getMediaType: () => 'video',
        getMediaInfo: () => ({}),
        getAbrController: () => abrController,
        getCurrentRequest: () => request,
      });
    },
    /** Simulates the response to a request that is not for a segment, such as a manifest. */
    other: (headers: Record<string, string>, url: string | null = null) =>
      interceptors.response?.({
        request: { customData: { request: { type: 'MPD', url } } },
        status: 200,
        headers,
      }),
    ask: (fields: Record<string, unknown> & { url?: string }) =>
      interceptors.request?.({
        url: fields.url ?? URL_OF_SEGMENT,
        customData: {
          request: {
            ...{ type: 'MediaSegment', url: URL_OF_SEGMENT, mediaType: 'video', startTime: 0, duration: 2 },
            ...fields,
          },
        },
      }),
    /** Downloads a segment of 250 kB in `download_ms`, and returns the URL of the request. */
    segment: async (download_ms: number, startTime = 0, query = '') => {
      const request = {
        type: 'MediaSegment',
        url: URL_OF_SEGMENT,
        mediaType: 'video',
        startTime,
        duration: 2,
      };
      const media = { url: URL_OF_SEGMENT + query, customData: { request } };
      await interceptors.request?.(media);
      vi.advanceTimersByTime(download_ms);
      await interceptors.response?.({ request: media, status: 200, data: { byteLength: 250_000 } });
      return media.url;
    },
  };
}
const raise = (message: string): never => {
  throw new Error(message);
};
export const createStorage = (): TextStorage => {
  let text: string | null = null;
  return { read: () => text, write: (given) => (text = given), remove: () => (text = null) };
};
/** Attaches Sammy with its own storage and with summaries. */
export const attach = (player: object, options: AttachOptions = {}): SammyHandle =>
  attachSammy(player as Parameters<typeof attachSammy>[0], {
    storage: createStorage(),
    summary: sessionSummary,
    ...options,
  });

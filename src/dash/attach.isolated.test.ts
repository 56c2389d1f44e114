import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { TextStorage } from '../learning/text-storage.ts';
import type { SegmentSizes } from '../film/segments.ts';
import { sessionSummary, type SessionSummary } from '../session/summary.ts';
import { attachSammy, type AbrAlgorithm, type AbrState, type PacePolicy } from '../index.ts';
import type { AttachOptions, SammyHandle } from '../host/handle.ts';
import { seconds } from '../units.ts';

type Listener = (event: object) => void;
type Interceptor = (message: object) => Promise<object>;

interface Rule {
  getSwitchRequest(context: object): unknown;
  shouldAbandon(context: object): unknown;
}

const URL_OF_SEGMENT = 'http://edge/1.m4s';
const sidecar: SegmentSizes = { upcoming: () => undefined };

/** A fake dash.js 5 with the parts that Sammy uses. The test fires its events and sends its requests. */
function playerOf({
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
  /** What only the ABR controller of dash.js has, for its own rules. */
  const abrController: { getPossibleVoRepresentationsFilteredBySettings?: () => object[] } = {
    getPossibleVoRepresentationsFilteredBySettings: () => representations,
  };
  const listeners = new Map<string, Listener>();
  const rules = new Map<string, Rule>();
  const buffered = { seconds: 0 };
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
    on: (type: string, listener: Listener) => listeners.set(type, listener),
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
  return {
    player,
    source,
    settings,
    buffered,
    touched,
    abrController,
    /** Does what the player's own reset() does: ends the source, then removes rules and interceptors. */
    reset: () => {
      listeners.get('streamTeardownComplete')?.({});
      rules.clear();
      delete interceptors.request;
      delete interceptors.response;
    },
    /** Asks Sammy's rule for the rung of the next segment, as dash.js does. */
    chooseRung: () =>
      rules.get('SammyRule')?.getSwitchRequest({
        getMediaType: () => 'video',
        getMediaInfo: () => ({}),
        getAbrController: () => abrController,
      }),
    fire: (type: string) => listeners.get(type)?.({}),
    /** Requests a segment of rung `c`; returns Sammy's answer once `arrived` of 250,000 bytes have come in so many ms. */
    abandons: async (arrived: number, elapsed_ms: number, startTime: number) => {
      const request = {
        ...{ type: 'MediaSegment', url: URL_OF_SEGMENT, mediaType: 'video', startTime, duration: 2 },
        ...{ representation: { id: 'c' }, bytesLoaded: arrived, bytesTotal: 250_000 },
        firstByteDate: new Date(),
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
    /** Receives a response to a request for something else than a segment, such as a manifest. */
    other: (headers: Record<string, string>, url: string | null = null) =>
      interceptors.response?.({
        request: { customData: { request: { type: 'MPD', url } } },
        status: 200,
        headers,
      }),
    /** Requests a segment. */
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
const storageOf = (): TextStorage => {
  let text: string | null = null;
  return { read: () => text, write: (given) => (text = given), remove: () => (text = null) };
};
const attach = (player: object, options: AttachOptions = {}): SammyHandle =>
  attachSammy(player as Parameters<typeof attachSammy>[0], {
    storage: storageOf(),
    summary: sessionSummary,
    ...options,
  });

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a download in flight', () => {
  it('is given up for what dash.js allows at that moment, which is not asked about any other', async () => {
    const { player, abandons, abrController, fire } = playerOf({ bitrates_kbps: [100, 400, 1000] });
    attach(player);
    fire('playbackPlaying');
    const all = abrController.getPossibleVoRepresentationsFilteredBySettings?.() ?? [];
    const asked = vi.fn(() => all);
    abrController.getPossibleVoRepresentationsFilteredBySettings = asked;
    // Too young, and in time: the rest of 2 Mbit takes 0.1 s.
    expect(await abandons(50_000, 400, 0)).toMatchObject({ representation: null });
    expect(await abandons(240_000, 1000, 2)).toMatchObject({ representation: null });
    expect(asked).not.toHaveBeenCalled();
    // 400 kbit/s with nothing buffered: at most the lower two, and now the application allows but the lowest and the top.
    asked.mockReturnValue([all[0] ?? {}, all[2] ?? {}]);
    expect(await abandons(50_000, 1000, 4)).toMatchObject({ representation: all[0] });
    expect(asked).toHaveBeenCalledTimes(1);
  });
});

describe('a sidecar', () => {
  it('is dropped when its source ends', () => {
    const { player, fire } = playerOf();
    const handle = attach(player, { sidecar });
    // This event comes before the first source; it does not end a session.
    fire('streamTeardownComplete');
    expect(handle.options.sidecar).toBe(sidecar);
    fire('manifestLoadingStarted');
    fire('streamTeardownComplete');
    expect(handle.options.sidecar).toBeUndefined();
    handle.update({ sidecar });
    expect(handle.options.sidecar).toBe(sidecar);
    handle.update({ sidecar: undefined });
    expect(handle.options.sidecar).toBeUndefined();
  });

  it('is dropped with its source also if Sammy was attached after the manifest was loaded', async () => {
    const { player, fire, segment } = playerOf();
    const handle = attach(player, { sidecar });
    await segment(100);
    fire('streamTeardownComplete');
    expect(handle.options.sidecar).toBeUndefined();
  });
});

describe('the mtp of the CMCD that dash.js sends', () => {
  const MTP_OF_DASHJS = '?CMCD=mtp%3D900';

  it('stays as it is until there is an estimate, and is the estimate from then on', async () => {
    const { player, segment } = playerOf();
    attach(player);
    expect(await segment(100, 0, MTP_OF_DASHJS)).toBe(`${URL_OF_SEGMENT}?CMCD=mtp%3D900`);
    // The estimate is now 250 kB in 100 ms, which is 20,000 kbit/s.
    expect(await segment(100, 2, MTP_OF_DASHJS)).toBe(`${URL_OF_SEGMENT}?CMCD=mtp%3D20000`);
    expect(await segment(100, 4)).toBe(URL_OF_SEGMENT);
  });

  it('stays as it is where dash.js chooses the rungs', async () => {
    const { player, segment } = playerOf();
    attach(player, { abr: 'player' });
    await segment(100, 0);
    expect(await segment(100, 2, MTP_OF_DASHJS)).toBe(URL_OF_SEGMENT + MTP_OF_DASHJS);
  });
});

describe('a source of segment sizes', () => {
  it('is dropped when its source ends', () => {
    const { player, fire } = playerOf();
    const handle = attach(player, { sizes: { upcoming: () => [] }, sidecar });
    fire('manifestLoadingStarted');
    handle.update({ c0: 3 });
    expect(handle.options).toMatchObject({ sizes: expect.anything() as object, sidecar });
    fire('streamTeardownComplete');
    expect(handle.options.sizes).toBeUndefined();
    expect(handle.options.c0).toBe(3);
  });
});

describe('a URL of another scheme than HTTP', () => {
  it.each(['blob:https://page.example/1-2?a=b&c', 'data:video/mp4,%00?x&y', 'app://film/1.m4s'])(
    '%s, is left alone',
    async (url) => {
      const storage = storageOf();
      const { player, ask, fire } = playerOf();
      const handle = attach(player, { storage });
      const decisions: unknown[] = [];
      handle.on('request', ({ pace_reason }) => decisions.push(pace_reason));
      fire('playbackPlaying');
      const media = await ask({ url });
      expect(media).toMatchObject({ url });
      expect(media).not.toHaveProperty('headers');
      await vi.advanceTimersByTimeAsync(10_000);
      expect(decisions).toEqual(['not-http']);
      expect(storage.read()).toBeNull();
    },
  );
});

describe('a server that does not pace', () => {
  it.each([true, false])('is told to the console once if nobody listens to warnings: %s', async (isHeard) => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
    const { player, segment, fire } = playerOf();
    const handle = attach(player);
    const heard: string[] = [];
    if (isHeard) handle.on('warning', ({ code }) => heard.push(code));
    fire('playbackPlaying');
    // 250 kB in 60 ms are 33 Mbit/s, and ten times as much as was asked for.
    for (let count = 0; count < 10; count++) await segment(60, 2 * count);
    await vi.advanceTimersByTimeAsync(0);
    expect(heard).toEqual(isHeard ? ['pacing-not-honored'] : []);
    expect(warn).toHaveBeenCalledTimes(isHeard ? 0 : 1);
  });
});

describe('ids that are not unique', () => {
  it('leave the sizes of the picture what they are when sound has the same', async () => {
    const { player, ask, chooseRung } = playerOf({ bitrates_kbps: [1000, 2000] });
    let sizes: SegmentSizes | undefined;
    const abr: AbrAlgorithm = {
      name: 'looks',
      session: () => ({
        choose: (state) => {
          sizes = state.sizes;
          return { rung: state.ladder[0], reason: '' };
        },
        requiredThroughput: (_, { bitrate_kbps }) => bitrate_kbps,
      }),
    };
    attach(player, { abr });
    const segment = (last: number) => ({ presentationStartTime: 0, duration: 2, mediaRange: `0-${last}` });
    await ask({ representation: { id: 'a', bandwidth: 1e6, segments: [segment(249_999)] } });
    await ask({
      mediaType: 'audio',
      representation: { id: 'a', bandwidth: 1e5, segments: [segment(24_999)] },
    });
    chooseRung();
    expect(sizes?.upcoming('a', seconds(0), seconds(2))).toMatchObject([{ size: 250_000 }]);
  });
});

describe('a change of the phase', () => {
  it('is reported by an event, also when the next source begins', async () => {
    const { player, fire, segment } = playerOf();
    const handle = attach(player);
    const phases: string[] = [];
    handle.on('phase', ({ phase, previous }) => phases.push(`${previous} > ${phase}`));
    for (const event of ['manifestLoadingStarted', 'playbackPlaying', 'playbackPlaying']) fire(event);
    await vi.advanceTimersByTimeAsync(0);
    expect(phases).toEqual(['initial > playing']);
    fire('playbackWaiting');
    vi.advanceTimersByTime(1000);
    await segment(100);
    expect(phases).toEqual(['initial > playing', 'playing > recovery']);
    fire('streamTeardownComplete');
    fire('manifestLoadingStarted');
    fire('streamTeardownComplete');
    await vi.advanceTimersByTimeAsync(0);
    expect(phases).toEqual(['initial > playing', 'playing > recovery', 'recovery > initial']);
  });

  it('is reported to a listener that is added at once when Sammy is attached to a playing film', async () => {
    const phases: unknown[] = [];
    attach(playerOf({ currentTime: 12 }).player).on('phase', (change) => phases.push(change));
    await Promise.resolve();
    expect(phases).toEqual([{ previous: 'initial', phase: 'playing' }]);
  });
});

describe('what is buffered', () => {
  it('is replaced on a switch up only where the latest downloads were fast enough, and detach restores the setting', async () => {
    const { player, settings, fire, buffered, chooseRung, segment } = playerOf();
    const { buffer } = settings.streaming;
    const handle = attach(player);
    fire('manifestLoadingStarted');
    buffered.seconds = 4;
    // 1000 kbit/s are assumed at first, which is the bitrate; then 2000 kbit arrive in 0.4 s, which is 5000 kbit/s.
    chooseRung();
    expect(buffer.fastSwitchEnabled).toBe(false);
    await segment(400);
    chooseRung();
    expect(buffer.fastSwitchEnabled).toBe(true);
    // 2000 kbit in 2 s are as fast as they play.
    await segment(2000);
    chooseRung();
    expect(buffer.fastSwitchEnabled).toBe(false);
    // With the next source the fast switch is allowed again.
    fire('streamTeardownComplete');
    expect(buffer.fastSwitchEnabled).toBe(true);
    buffered.seconds = 5;
    chooseRung();
    handle.update({ abr: 'player' });
    chooseRung();
    expect(buffer.fastSwitchEnabled).toBe(true);
    handle.update({ abr: 'hyb' });
    chooseRung();
    expect(buffer.fastSwitchEnabled).toBe(false);
    handle.detach();
    expect(buffer.fastSwitchEnabled).toBe(true);
  });

  it('is again as dash.js has it when an algorithm detaches within its choice', () => {
    const { player, settings, chooseRung } = playerOf({ bitrates_kbps: [1000, 2000] });
    const abr: AbrAlgorithm = {
      name: 'leaves',
      session: () => ({
        choose: ({ ladder }) => {
          handle.detach();
          return { rung: ladder[0], reason: 'last' };
        },
        requiredThroughput: (_, { bitrate_kbps }) => bitrate_kbps,
      }),
    };
    const handle = attach(player, { abr });
    chooseRung();
    expect(settings.streaming.buffer.fastSwitchEnabled).toBe(true);
    expect(player.getABRCustomRules()).toEqual([]);
  });
});

describe('what is known of the connection', () => {
  it('stays known where what is no segment comes without a receipt, as from another server', async () => {
    const { player, other, segment } = playerOf();
    const handle = attach(player);
    await other({ 'server-timing': 'tcp-cwnd;desc="24"' }, 'http://edge/film.mpd');
    await other({}, 'http://edge/film.mpd');
    // Nor does it matter what another origin tells.
    await other({ 'server-timing': 'tcp-cwnd;desc="99"' }, 'http://elsewhere/license');
    await segment(100);
    // The segment itself has none.
    await segment(100, 2);
    expect(handle.decisions.map(({ last_receipt }) => last_receipt)).toEqual([{ cwnd_packets: 24 }, {}]);
  });

  it('is not what came with an initialization segment that the browser had in its cache', async () => {
    const { player, other, segment } = playerOf();
    const handle = attach(player);
    const url = 'http://edge/init.mp4';
    const of = (cwnd: number) => ({ 'server-timing': `tcp-cwnd;desc="${cwnd}"` });
    /** The browser's, in which earlier ones of a URL stay. */
    const entries: object[] = [];
    vi.spyOn(performance, 'getEntriesByType').mockImplementation(() => entries as PerformanceEntry[]);
    entries.push({ name: url, startTime: 10, transferSize: 1300, encodedBodySize: 1000 });
    await other(of(24), url);
    await segment(100);
    entries.push({ name: url, startTime: 500, transferSize: 0, encodedBodySize: 1000 });
    await other(of(500), url);
    await segment(100, 2);
    expect(handle.decisions.map(({ last_receipt }) => last_receipt)).toEqual([{ cwnd_packets: 24 }, {}]);
  });
});

describe('the next session', () => {
  it('begins where the last one measured its initial phase', async () => {
    const { player, settings, fire, segment } = playerOf();
    attach(player);
    // β, 0.8, times the 1000 kbit/s that are assumed.
    expect(settings.streaming.abr.initialBitrate.video).toBe(800);
    fire('manifestLoadingStarted');
    await segment(400);
    fire('playbackPlaying');
    fire('streamTeardownComplete');
    // β, 0.8, times 2000 kbit in 0.4 s.
    expect(settings.streaming.abr.initialBitrate.video).toBe(4000);
  });

  it('does so only at the same origin and on the same network', async () => {
    vi.stubGlobal('document', { baseURI: 'https://page.example/watch' });
    const { player, source, settings, fire, segment } = playerOf();
    attach(player);
    fire('manifestLoadingStarted');
    await segment(400);
    fire('playbackPlaying');
    const begun = (url: string, effectiveType: string): number => {
      source.url = url;
      vi.stubGlobal('navigator', { connection: { effectiveType } });
      fire('streamTeardownComplete');
      fire('manifestLoadingStarted');
      return settings.streaming.abr.initialBitrate.video;
    };
    vi.stubGlobal('navigator', {});
    expect(begun('https://cdn.example/next.mpd', '3g')).toBe(800);
    expect(begun('/local.mpd', '')).toBe(800);
    expect(begun('https://cdn.example/next.mpd', '')).toBe(4000);
  });
});

describe('a channel that is on for long', () => {
  it('keeps the latest 1000 decisions, and every decision is an event', async () => {
    const { player, segment } = playerOf();
    const handle = attach(player);
    const told: number[] = [];
    handle.on('decision', ({ sequence }) => told.push(sequence));
    for (let count = 0; count < 1003; count++) await segment(1);
    await vi.advanceTimersByTimeAsync(0);
    const all = Array.from({ length: 1003 }, (_, index) => index);
    expect(told).toEqual(all);
    expect(handle.decisions.map(({ sequence }) => sequence)).toEqual(all.slice(3));
    expect(handle.summary?.segments).toBe(1003);
  });
});

describe('an application that', () => {
  it('resets the player and uses it again still has Sammy', async () => {
    const { player, fire, reset, segment } = playerOf();
    const handle = attach(player);
    fire('manifestLoadingStarted');
    await segment(100);
    reset();
    await Promise.resolve();
    fire('manifestLoadingStarted');
    await segment(100);
    expect(handle.decisions).toHaveLength(1);
    reset();
    handle.detach();
    await Promise.resolve();
    expect(player.getABRCustomRules()).toEqual([]);
  });

  it('attaches twice is refused until it detaches; a second detach does nothing', async () => {
    const { player, settings, fire, segment } = playerOf();
    const handle = attach(player);
    const summaries: SessionSummary[] = [];
    handle.on('summary', (summary) => summaries.push(summary));
    expect(() => attach(player)).toThrow('call detach() first');
    fire('manifestLoadingStarted');
    await segment(100);
    handle.detach();
    handle.detach();
    await Promise.resolve();
    expect(summaries).toMatchObject([{ segments: 1 }]);
    const next = attach(player);
    // The first handle does not affect the second one's Sammy.
    handle.detach();
    handle.update({ beta: 0.1 });
    expect(player.getABRCustomRules()).toHaveLength(2);
    expect(settings.streaming.abr.initialBitrate.video).toBe(800);
    await segment(100);
    expect(next.decisions).toHaveLength(1);
    expect(handle.decisions).toHaveLength(1);
  });

  it('changes options after a detach leaves dash.js as it is', () => {
    const { player, settings } = playerOf();
    const before = structuredClone(settings);
    const handle = attach(player);
    handle.detach();
    handle.update({ beta: 0.5 });
    expect(settings).toEqual(before);
  });

  it('changes options or detaches in a listener sees the effect from the next request on', async () => {
    const { player, fire, segment } = playerOf();
    const handle = attach(player, { c0: 3, c1: 3, sidecar });
    const asked: unknown[] = [];
    handle.on('request', ({ requested_kbps }) => {
      asked.push(requested_kbps);
      handle.update({ pacing: asked.length > 1 });
    });
    const summaries: SessionSummary[] = [];
    handle.on('summary', (summary) => summaries.push(summary));
    handle.on('decision', ({ sequence }) => {
      if (sequence === 2) handle.detach();
    });
    fire('manifestLoadingStarted');
    fire('playbackPlaying');
    // 3000 kbit/s is three times the only rung of 1000 kbit/s.
    for (const start of [10, 12, 14, 16]) await segment(100, start);
    await vi.advanceTimersByTimeAsync(0);
    expect(asked).toEqual([3000, null, 3000]);
    expect(summaries).toMatchObject([{ segments: 3 }]);
    expect(player.getABRCustomRules()).toEqual([]);
  });

  it('changes options often writes no setting of a rule, after which dash.js would add all rules again', () => {
    const { player, touched } = playerOf();
    const handle = attach(player);
    const before = touched.rules;
    for (const c0 of [2, 3, 4]) handle.update({ c0 });
    expect(touched.rules).toBe(before);
  });

  it('attaches Sammy to a playing film has it paced from then on, and no play delay is reported', () => {
    const { player, fire } = playerOf({ currentTime: 12 });
    const handle = attach(player);
    expect(handle.phase).toBe('playing');
    fire('playbackPlaying');
    expect(handle.summary?.play_delay_ms).toBeNull();
  });

  it('changes the source during a stall has the stall counted', async () => {
    const { player, fire } = playerOf();
    const handle = attach(player);
    const summaries: SessionSummary[] = [];
    handle.on('summary', (summary) => summaries.push(summary));
    for (const event of ['manifestLoadingStarted', 'playbackPlaying', 'playbackWaiting']) fire(event);
    vi.advanceTimersByTime(20_000);
    fire('streamTeardownComplete');
    await Promise.resolve();
    expect(summaries).toMatchObject([{ rebuffer_count: 1, rebuffer_ratio: 1 }]);
  });
});

describe('what the application has given and what fails', () => {
  const algorithmOf = (session: object): AbrAlgorithm =>
    ({
      name: 'theirs',
      session: () => ({
        choose: ({ ladder }: AbrState) => ({ rung: ladder[0], reason: 'theirs' }),
        requiredThroughput: () => 0,
        ...session,
      }),
    }) as unknown as AbrAlgorithm;
  const throws = () => {
    throw new Error('not mine');
  };
  const attached = (options: AttachOptions) => {
    const fake = playerOf({ bitrates_kbps: [1000, 2000] });
    const handle = attach(fake.player, options);
    const warnings: string[] = [];
    handle.on('warning', ({ code, message }) => warnings.push(`${code}: ${message}`));
    fake.fire('manifestLoadingStarted');
    return { ...fake, handle, warnings };
  };
  const settle = () => vi.advanceTimersByTimeAsync(0);

  it.each<[string, object, string]>([
    ['choose throws', { choose: throws }, 'not mine'],
    ['choose returns nothing', { choose: () => undefined }, "the algorithm's choice is undefined"],
    ['choose is async', { choose: () => Promise.resolve({}) }, "the algorithm's choice is undefined"],
    [
      'choose returns another rung',
      { choose: () => ({ rung: { id: 'z' } }) },
      "the algorithm's choice is 'z'",
    ],
    ['observe throws', { observe: throws }, 'not mine'],
    ['requiredThroughput throws', { requiredThroughput: throws }, 'not mine'],
    [
      'requiredThroughput returns NaN',
      { requiredThroughput: () => NaN },
      "the algorithm's throughput is NaN",
    ],
    [
      'requiredThroughput returns a text',
      { requiredThroughput: () => '5' },
      "the algorithm's throughput is '5'",
    ],
  ])(
    'an algorithm whose %s: dash.js chooses the rungs from then on, and Sammy paces',
    async (_, session, message) => {
      const { handle, warnings, fire, chooseRung, segment, settings } = attached({
        abr: algorithmOf(session),
      });
      fire('playbackSeeking');
      chooseRung();
      await settle();
      expect(warnings).toMatchObject([expect.stringContaining(`sammy-failed: ${message}`)]);
      expect(handle.options.abr).toBe('player');
      // dash.js's own settings are back, its rules among them.
      expect(settings.streaming.abr.initialBitrate.video).toBe(-1);
      expect(chooseRung()).toMatchObject({ representation: null });
      fire('playbackPlaying');
      expect(await segment(100, 12)).toContain('rtp');
      expect(handle.decisions).toMatchObject([{ abr_reason: 'player' }]);
      expect(warnings).toHaveLength(1);
    },
  );

  it.each<[string, () => unknown]>([
    ['throws', throws],
    ['returns nothing', () => undefined],
  ])('a pace policy that %s: Algorithm 1 paces from the next request on', async (_, choosePace) => {
    const policy = { name: 'theirs', choosePace } as unknown as PacePolicy;
    const { handle, warnings, fire, segment } = attached({ pace: policy });
    fire('playbackPlaying');
    expect(await segment(100, 10)).not.toContain('rtp');
    expect(await segment(100, 12)).toContain('rtp');
    expect(handle.options.pace).toBe('sammy');
    expect(warnings).toHaveLength(1);
  });

  it('sizes that throw are not asked again', async () => {
    const { handle, chooseRung, segment, fire } = attached({ sizes: { upcoming: throws } });
    chooseRung();
    fire('playbackPlaying');
    expect(await segment(100, 12)).toContain('rtp');
    expect(handle.options).toMatchObject({ abr: 'player', sizes: undefined });
  });

  it('an algorithm that opens no session for the next source does not stop that source', async () => {
    let ended = false;
    const algorithm = algorithmOf({});
    const abr: AbrAlgorithm = {
      ...algorithm,
      session: (options) => (ended ? throws() : algorithm.session(options)),
    };
    const { handle, warnings, fire } = attached({ abr });
    ended = true;
    fire('streamTeardownComplete');
    await settle();
    expect(warnings).toEqual(['sammy-failed: not mine']);
    expect(handle.options.abr).toBe('player');
  });

  it('a dash.js whose ABR controller lacks what the rule asks: dash.js chooses, and Sammy paces', async () => {
    const { handle, warnings, fire, chooseRung, segment, abrController } = attached({});
    delete abrController.getPossibleVoRepresentationsFilteredBySettings;
    expect(chooseRung()).toMatchObject({ representation: null });
    await settle();
    expect(handle.options.abr).toBe('player');
    fire('playbackPlaying');
    expect(await segment(100, 12)).toContain('rtp');
    expect(warnings).toMatchObject([expect.stringContaining('sammy-failed: ')]);
  });
});

describe('attachSammy refuses', () => {
  it.each<[string, unknown, string]>([
    ['options that are no object', 5, 'options is 5, expected an object'],
    ['no options at all', null, 'options is null, expected an object'],
    [
      "the browser's own storage",
      { storage: {} },
      'option storage is [object Object], expected null or read(), write() and remove()',
    ],
    ['a storage that is no object', { storage: 'local' }, "option storage is 'local'"],
    ['a summary that is no function', { summary: true }, 'option summary is true, expected sessionSummary'],
  ])('%s', (_, options, message) => {
    expect(() => attachSammy(playerOf().player as never, options as AttachOptions)).toThrow(message);
  });

  it('a player that has the rule of another copy of the plug-in', () => {
    const { player } = playerOf();
    player.addABRCustomRule('qualitySwitchRules', 'SammyRule', () => ({ create: () => ({}) as Rule }));
    expect(() => attach(player)).toThrow('call detach() first');
  });
});

describe('without the option summary', () => {
  it('no summary is kept, and no event reports one', async () => {
    const { player, fire, segment } = playerOf();
    const handle = attach(player, { summary: undefined });
    const summaries: unknown[] = [];
    handle.on('summary', (summary) => summaries.push(summary));
    fire('manifestLoadingStarted');
    await segment(100);
    expect(handle.summary).toBeNull();
    fire('streamTeardownComplete');
    await Promise.resolve();
    expect(summaries).toEqual([]);
  });
});

describe('a listener that throws', () => {
  it('is reported once, in the console and as a warning, and playback goes on', async () => {
    const console_ = vi.spyOn(console, 'error').mockReturnValue();
    const { player, segment } = playerOf();
    const handle = attach(player);
    const warnings: unknown[] = [];
    const mistake = new Error('not mine');
    handle.on('decision', () => {
      throw mistake;
    });
    handle.on('warning', (warning) => {
      warnings.push(warning);
      throw mistake;
    });
    await segment(100);
    await segment(100);
    await vi.advanceTimersByTimeAsync(0);
    expect(handle.decisions).toHaveLength(2);
    // The second error is that of the listener to warnings.
    expect(console_.mock.calls).toEqual([[mistake], [mistake]]);
    expect(warnings).toEqual([
      { code: 'listener-failed', message: 'a listener to decision: not mine' },
      { code: 'listener-failed', message: 'a listener to warning: not mine' },
    ]);
  });
});

describe('the play delay', () => {
  const delayOf = async (
    given: Parameters<typeof playerOf>[0],
    ...events: string[]
  ): Promise<SessionSummary['play_delay_ms']> => {
    const { player, fire, segment } = playerOf(given);
    const handle = attach(player);
    fire('manifestLoadingStarted');
    await segment(1000);
    for (const event of [...events, 'playbackPlaying']) {
      fire(event);
      vi.advanceTimersByTime(1000);
    }
    return handle.summary?.play_delay_ms ?? null;
  };

  it('starts with the source if autoplay is on, whatever starts the media element', async () => {
    expect(await delayOf({ autoPlay: true }, 'playbackStarted')).toBe(2000);
  });

  it('does not include the time before the viewer asks to play', async () => {
    expect(await delayOf({ autoPlay: false }, 'canPlay', 'canPlayThrough', 'playbackStarted')).toBe(1000);
  });

  it('does not include the time in which the page keeps the media element paused, or the browser does', async () => {
    expect(await delayOf({ paused: true }, 'canPlay', 'playbackStarted')).toBe(1000);
  });
});

describe('a media element that is paused before the first frame', () => {
  const phasesOf = async (given: Parameters<typeof playerOf>[0]): Promise<string[]> => {
    const { player, buffered, fire, segment } = playerOf(given);
    const handle = attach(player);
    fire('manifestLoadingStarted');
    for (const start of [0, 2, 4, 6]) {
      buffered.seconds = start;
      await segment(100, start);
    }
    return handle.decisions.map(({ phase }) => phase);
  };
  const paced = ['initial', 'initial', 'preload', 'preload'];

  it('makes nobody wait, whether autoplay is on or off: 4 s are fetched unpaced, the rest is paced', async () => {
    expect(await phasesOf({ paused: true })).toEqual(paced);
    expect(await phasesOf({ autoPlay: false })).toEqual(paced);
    expect(await phasesOf({ paused: false })).toEqual(Array(4).fill('initial'));
  });

  it('may also not be there yet', async () => {
    expect(await phasesOf({ view: false })).toEqual(paced);
  });
});

describe('the download time', () => {
  const heardAfter100ms = async (ended: number | undefined): Promise<number | undefined> => {
    const { player, segment } = playerOf();
    const handle = attach(player);
    const startTime = performance.now();
    const timing = { name: URL_OF_SEGMENT, startTime, ...(ended && { responseEnd: startTime + ended }) };
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue([timing as unknown as PerformanceEntry]);
    await segment(100);
    return handle.decisions[0]?.download_ms;
  };

  it('ends when the body has arrived, however late a busy page is told', async () => {
    expect(await heardAfter100ms(40)).toBe(40);
  });

  it('ends when the page is told, if the browser gives no time or an impossible one', async () => {
    expect(await heardAfter100ms(undefined)).toBe(100);
    expect(await heardAfter100ms(-20)).toBe(100);
    expect(await heardAfter100ms(120)).toBe(100);
  });
});

describe('a response from the browser cache', () => {
  it.each([
    ['is told by resource timing', { transferSize: 0, encodedBodySize: 250_000 }, true],
    [
      'is told where the server had to say that it is still good',
      { transferSize: 300, encodedBodySize: 250_000 },
      true,
    ],
    ['is not what the network carried', { transferSize: 250_300, encodedBodySize: 250_000 }, undefined],
    ['is not what another origin hides', { transferSize: 0, encodedBodySize: 0 }, undefined],
    [
      'is not an earlier one of the same URL',
      { startTime: -50, transferSize: 0, encodedBodySize: 1 },
      undefined,
    ],
  ])('%s', async (_, timing, from_cache) => {
    const { player, segment } = playerOf();
    const handle = attach(player);
    const entry = { name: `${URL_OF_SEGMENT}?CMCD=su`, startTime: performance.now(), ...timing };
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue([entry as unknown as PerformanceEntry]);
    await segment(100);
    expect(handle.decisions).toHaveLength(1);
    expect(handle.decisions[0]?.from_cache).toBe(from_cache);
  });
});

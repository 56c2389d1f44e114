import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { SegmentSizes } from '../film/segments.ts';
import type { AbrAlgorithm } from '../index.ts';
import type { SessionSummary } from '../session/summary.ts';
import { attach, createFakePlayer, createStorage, URL_OF_SEGMENT } from './testing/player.ts';
import { seconds } from '../units.ts';

beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('a download in flight', () => {
  it('is abandoned for a rung that dash.js allows then, and reads the rungs only if needed', async () => {
    const { player, abandons, abrController, fire, buffered } = createFakePlayer({
      bitrates_kbps: [100, 400, 1000],
    });
    buffered.seconds = 0;
    attach(player);
    fire('playbackPlaying');
    const all = abrController.getPossibleVoRepresentationsFilteredBySettings?.() ?? [];
    const asked = vi.fn(() => all);
    abrController.getPossibleVoRepresentationsFilteredBySettings = asked;
    // The first download is too young (0.4 s). The second is in time: at 1920 kbit/s, its last 10 kB take 0.04 s.
    expect(await abandons(50_000, 400, 0)).toMatchObject({ representation: null });
    expect(await abandons(240_000, 1000, 2)).toMatchObject({ representation: null });
    expect(asked).not.toHaveBeenCalled();
    // The third download shows 400 kbit/s, for which only the two lower rungs are possible. Of these, dash.js allows
    // only the lowest.
    asked.mockReturnValue([all[0] ?? {}, all[2] ?? {}]);
    expect(await abandons(50_000, 1000, 4)).toMatchObject({ representation: all[0] });
    expect(asked).toHaveBeenCalledTimes(1);
  });
});

describe('the mtp of the CMCD that dash.js sends', () => {
  const MTP_OF_DASHJS = '?CMCD=mtp%3D900';

  it('is unchanged until there is an estimate, and is the estimate from then on', async () => {
    const { player, segment } = createFakePlayer();
    attach(player);
    expect(await segment(100, 0, MTP_OF_DASHJS)).toBe(`${URL_OF_SEGMENT}?CMCD=mtp%3D900`);
    // The estimate is now 20,000 kbit/s: 250 kB in 100 ms.
    expect(await segment(100, 2, MTP_OF_DASHJS)).toBe(`${URL_OF_SEGMENT}?CMCD=mtp%3D20000`);
    expect(await segment(100, 4)).toBe(URL_OF_SEGMENT);
  });

  it('is unchanged if dash.js chooses the rungs', async () => {
    const { player, segment } = createFakePlayer();
    attach(player, { abr: 'player' });
    await segment(100, 0);
    expect(await segment(100, 2, MTP_OF_DASHJS)).toBe(URL_OF_SEGMENT + MTP_OF_DASHJS);
  });
});

describe('a URL of a scheme other than HTTP', () => {
  it.each(['blob:https://page.example/1-2?a=b&c', 'data:video/mp4,%00?x&y', 'app://film/1.m4s'])(
    '%s, is not changed',
    async (url) => {
      const storage = createStorage();
      const { player, ask, fire } = createFakePlayer();
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
  it.each([true, false])(
    'is reported once, in the console unless there is a listener to warnings: %s',
    async (isHeard) => {
      const warn = vi.spyOn(console, 'warn').mockImplementation(() => undefined);
      const { player, segment, fire } = createFakePlayer();
      const handle = attach(player);
      const heard: string[] = [];
      if (isHeard) handle.on('warning', ({ code }) => heard.push(code));
      fire('playbackPlaying');
      // 250 kB in 60 ms are 33 Mbit/s, ten times the requested pace.
      for (let count = 0; count < 10; count++) await segment(60, 2 * count);
      await vi.advanceTimersByTimeAsync(0);
      expect(heard).toEqual(isHeard ? ['pacing-not-honored'] : []);
      expect(warn).toHaveBeenCalledTimes(isHeard ? 0 : 1);
    },
  );
});

describe('ids that are not unique', () => {
  it('do not mix the sizes of video and audio', async () => {
    const { player, ask, chooseRung } = createFakePlayer({ bitrates_kbps: [1000, 2000] });
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
  it('is reported by an event, even when the next source begins', async () => {
    const { player, fire, segment } = createFakePlayer();
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

  it('is reported to a listener that is added right after Sammy is attached during playback', async () => {
    const phases: unknown[] = [];
    attach(createFakePlayer({ currentTime: 12 }).player).on('phase', (change) => phases.push(change));
    await Promise.resolve();
    expect(phases).toEqual([{ previous: 'initial', phase: 'playing' }]);
  });
});

describe('the latest receipt', () => {
  it('is kept if a response that is not a segment has no receipt or comes from another server', async () => {
    const { player, other, segment } = createFakePlayer();
    const handle = attach(player);
    await other({ 'server-timing': 'tcp-cwnd;desc="24"' }, 'http://edge/film.mpd');
    await other({}, 'http://edge/film.mpd');
    // A receipt of another origin is ignored, too.
    await other({ 'server-timing': 'tcp-cwnd;desc="99"' }, 'http://elsewhere/license');
    await segment(100);
    // The segment itself has no receipt.
    await segment(100, 2);
    expect(handle.decisions.map(({ last_receipt }) => last_receipt)).toEqual([{ cwnd_packets: 24 }, {}]);
  });

  it("is not taken from an initialization segment in the browser's cache", async () => {
    const { player, other, segment } = createFakePlayer();
    const handle = attach(player);
    const url = 'http://edge/init.mp4';
    const of = (cwnd: number) => ({ 'server-timing': `tcp-cwnd;desc="${cwnd}"` });
    /** The browser's timing entries. Earlier entries of the same URL remain. */
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
  it("begins with the throughput of the last session's initial phase", async () => {
    const { player, settings, fire, segment } = createFakePlayer();
    attach(player);
    // β = 0.8 times the default of 1000 kbit/s.
    expect(settings.streaming.abr.initialBitrate.video).toBe(800);
    fire('manifestLoadingStarted');
    await segment(400);
    fire('playbackPlaying');
    fire('streamTeardownComplete');
    // β = 0.8 times 5000 kbit/s: 2000 kbit arrived in 0.4 s.
    expect(settings.streaming.abr.initialBitrate.video).toBe(4000);
  });

  it('uses this throughput only at the same origin and on the same network', async () => {
    vi.stubGlobal('document', { baseURI: 'https://page.example/watch' });
    const { player, source, settings, fire, segment } = createFakePlayer();
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

describe('a long session', () => {
  it('keeps the latest 1000 decisions, and every decision is an event', async () => {
    const { player, segment } = createFakePlayer();
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

describe('the play delay', () => {
  const playDelay = async (
    given: Parameters<typeof createFakePlayer>[0],
    ...events: string[]
  ): Promise<SessionSummary['play_delay_ms']> => {
    const { player, fire, segment } = createFakePlayer(given);
    const handle = attach(player);
    fire('manifestLoadingStarted');
    await segment(1000);
    for (const event of [...events, 'playbackPlaying']) {
      fire(event);
      vi.advanceTimersByTime(1000);
    }
    return handle.summary?.play_delay_ms ?? null;
  };

  it('starts with the source if autoplay is on, however the media element is started', async () => {
    expect(await playDelay({ autoPlay: true }, 'playbackStarted')).toBe(2000);
  });

  it('does not include the time before the viewer asks to play', async () => {
    expect(await playDelay({ autoPlay: false }, 'canPlay', 'canPlayThrough', 'playbackStarted')).toBe(1000);
  });

  it('does not include the time in which the page keeps the media element paused, or the browser does', async () => {
    expect(await playDelay({ paused: true }, 'canPlay', 'playbackStarted')).toBe(1000);
  });
});

describe('a media element that is paused before the first frame', () => {
  const recordPhases = async (given: Parameters<typeof createFakePlayer>[0]): Promise<string[]> => {
    const { player, buffered, fire, segment } = createFakePlayer(given);
    const handle = attach(player);
    fire('manifestLoadingStarted');
    for (const start of [0, 2, 4, 6]) {
      buffered.seconds = start;
      await segment(100, start);
    }
    return handle.decisions.map(({ phase }) => phase);
  };
  const paced = ['initial', 'initial', 'preload', 'preload'];

  it('means that 4 s are downloaded unpaced and the rest paced, with or without autoplay', async () => {
    expect(await recordPhases({ paused: true })).toEqual(paced);
    expect(await recordPhases({ autoPlay: false })).toEqual(paced);
    expect(await recordPhases({ paused: false })).toEqual(Array(4).fill('initial'));
  });

  it('may not exist yet', async () => {
    expect(await recordPhases({ view: false })).toEqual(paced);
  });
});

describe('the download time', () => {
  const heardAfter100ms = async (ended: number | undefined): Promise<number | undefined> => {
    const { player, segment } = createFakePlayer();
    const handle = attach(player);
    const startTime = performance.now();
    const timing = { name: URL_OF_SEGMENT, startTime, ...(ended && { responseEnd: startTime + ended }) };
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue([timing as unknown as PerformanceEntry]);
    await segment(100);
    return handle.decisions[0]?.download_ms;
  };

  it('ends when the body has arrived, however late a busy page notices', async () => {
    expect(await heardAfter100ms(40)).toBe(40);
  });

  it('ends when the page notices, if the browser reports no time or an impossible time', async () => {
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
    const { player, segment } = createFakePlayer();
    const handle = attach(player);
    const entry = { name: `${URL_OF_SEGMENT}?CMCD=su`, startTime: performance.now(), ...timing };
    vi.spyOn(performance, 'getEntriesByType').mockReturnValue([entry as unknown as PerformanceEntry]);
    await segment(100);
    expect(handle.decisions).toHaveLength(1);
    expect(handle.decisions[0]?.from_cache).toBe(from_cache);
  });
});

import { describe, expect, it } from 'vitest';
import { HYB } from '../abr/hyb.ts';
import type { Decision } from '../decision.ts';
import type { PacePolicy } from '../pace/pace.ts';
import { describePlace } from '../host/browser/place.ts';
import type { AttachOptions } from '../host/handle.ts';
import { InitialThroughputHistory } from '../learning/history.ts';
import { Memory } from '../testing/session.ts';
import { kbps, milliseconds } from '../units.ts';
import { attach } from './attach.ts';
import type { Fragment, HlsConfig, HlsPlayer, Loader, LoaderContext, LoaderStats, Part } from './player.ts';
import { fragment, level, player, type Some } from './testing/player.ts';

/** A loader whose requests never end. */
class WaitingLoader implements Loader {
  readonly stats = {
    ...{ aborted: false, retry: 0, loaded: 0, total: 0 },
    loading: { start: 0, first: 0, end: 0 },
  } as LoaderStats;
  context: LoaderContext | null = null;
  load(context: LoaderContext): void {
    this.context = context;
  }
  abort(): void {
    this.context = null;
  }
  destroy(): void {
    this.context = null;
  }
}

/** Creates a fake hls.js player with the parts that the adapter uses. */
function makePlayer(version: string, more: Some<HlsPlayer> = {}) {
  const listeners = new Map<string, Set<(event: string, data: never) => void>>();
  class Hls {
    static readonly version = version;
    #next = 0;
    #start = -1;
    get startLevel(): number {
      return this.#start;
    }
    set startLevel(start: number) {
      this.#start = start;
    }
    get firstAutoLevel(): number {
      return this.#next;
    }
    get nextAutoLevel(): number {
      return this.#next;
    }
    set nextAutoLevel(next: number) {
      this.#next = next;
    }
  }
  const { firstAutoLevel: _, nextAutoLevel: __, startLevel: ___, ...state } = player(more);
  const hls = Object.assign(new Hls(), state, {
    on: (event: string, listener: (event: string, data: never) => void) => {
      listeners.set(event, (listeners.get(event) ?? new Set()).add(listener));
    },
    off: (event: string, listener: (event: string, data: never) => void) =>
      listeners.get(event)?.delete(listener),
    trigger(event: string, data: object) {
      for (const listener of listeners.get(event) ?? []) listener(event, data as never);
      return true;
    },
    loadSource: () => undefined,
    stopLoad: () => undefined,
  }) as unknown as HlsPlayer;
  (hls.config as { loader: HlsConfig['loader'] }).loader = WaitingLoader;
  const count = () => [...listeners.values()].reduce((sum, { size }) => sum + size, 0);
  return { hls, count };
}

/** Requests a segment like hls.js, and returns the URL that is sent. */
function request(hls: HlsPlayer, frag: Fragment, part: Part | null = null): string {
  const { config } = hls;
  const loader = new (config.fLoader ?? config.loader)(config);
  const context = { url: 'http://edge.example/1.m4s', headers: {}, frag, part };
  loader.load(context as LoaderContext, {} as never, {} as never);
  const url = loader.context?.url ?? '';
  loader.destroy();
  return url;
}

const QUIET = { storage: null } as const;

describe('attach', () => {
  it('refuses other objects, other versions, and a second attachment', () => {
    expect(() => attach({} as never, QUIET)).toThrow('an hls.js player');
    // A class instead of a player, and a module instead of its default export.
    expect(() => attach(Map as never, QUIET)).toThrow(
      'player is the function Map, expected an hls.js player',
    );
    expect(() => attach(Object.create(null) as never, QUIET)).toThrow('player is an object, expected');
    expect(() => attach(makePlayer('1.5.20').hls, QUIET)).toThrow('1.6 or a later 1');
    const { hls: destroyed } = makePlayer('1.7.4', { userConfig: null as never });
    expect(() => attach(destroyed, QUIET)).toThrow('that is not destroyed');
    const { hls } = makePlayer('1.7.4');
    const sammy = attach(hls, QUIET);
    expect(() => attach(hls, QUIET)).toThrow('call detach() first');
    sammy.detach();
    expect(() => attach(hls, { ...QUIET, c0: 0 })).toThrow('c0');
    attach(hls, QUIET).detach();
  });

  it('restores what it has changed in the player, and nothing else', () => {
    const { hls, count } = makePlayer('1.6.0');
    const before = { ...hls.config };
    const sammy = attach(hls, QUIET);
    expect(hls.config.fLoader).toBeDefined();
    expect(count()).toBeGreaterThan(3);
    sammy.detach();
    expect({ ...hls.config, fLoader: undefined }).toEqual({ ...before, fLoader: undefined });
    expect(hls.config.fLoader).toBeUndefined();
    const overridden = ['nextAutoLevel', 'firstAutoLevel', 'startLevel'].filter((name) =>
      Object.hasOwn(hls, name),
    );
    expect([count(), overridden]).toEqual([0, []]);
  });

  it('wraps a loader that the application sets later, with one warning', async () => {
    const { hls } = makePlayer('1.7.4');
    const sammy = attach(hls, QUIET);
    const warnings: string[] = [];
    sammy.on('warning', ({ code }) => warnings.push(code));
    class OwnLoader extends WaitingLoader {}
    hls.config.fLoader = OwnLoader;
    void hls.nextAutoLevel;
    void hls.nextAutoLevel;
    await Promise.resolve();
    expect(hls.config.fLoader).not.toBe(OwnLoader);
    expect(warnings).toEqual(['settings-overridden']);
    sammy.detach();
    expect(hls.config.fLoader).toBe(OwnLoader);
  });

  it('keeps its loader, without a warning, if the application sets the present one again', async () => {
    const { hls } = makePlayer('1.7.4');
    const sammy = attach(hls, QUIET);
    const warnings: string[] = [];
    sammy.on('warning', ({ code }) => warnings.push(code));
    Object.assign(hls.config, { ...hls.config });
    request(hls, fragment());
    await Promise.resolve();
    expect(warnings).toEqual([]);
    sammy.detach();
    expect(hls.config.fLoader).toBeUndefined();
  });

  it("follows each request once if the application's loader uses the loader that it replaces", async () => {
    const { hls } = makePlayer('1.7.4');
    const sammy = attach(hls, QUIET);
    let count = 0;
    sammy.on('request', () => count++);
    class Derived extends (hls.config.fLoader as typeof WaitingLoader) {}
    hls.config.fLoader = Derived;
    request(hls, fragment());
    await Promise.resolve();
    expect(count).toBe(1);
    sammy.detach();
    expect(hls.config.fLoader).toBe(Derived);
    request(hls, fragment());
    await Promise.resolve();
    expect(count).toBe(1);
  });

  it('overrides no property that a copy of the player would read', () => {
    const { hls } = makePlayer('1.7.4');
    const sammy = attach(hls, QUIET);
    const keys = Object.keys(hls);
    expect(keys).not.toContain('nextAutoLevel');
    expect(keys).not.toContain('startLevel');
    sammy.detach();
  });

  it('lets hls.js choose if the application wants that', () => {
    const { hls } = makePlayer('1.7.4', { levels: [level('low', 3e5), level('high', 6e5)] });
    const sammy = attach(hls, { ...QUIET, default_throughput_kbps: 50_000 });
    expect(hls.firstAutoLevel).toBe(1);
    sammy.update({ abr: 'player' });
    expect([hls.firstAutoLevel, hls.startLevel]).toEqual([0, -1]);
    sammy.update({ abr: 'hyb' });
    expect([hls.firstAutoLevel, hls.startLevel]).toEqual([1, 1]);
    sammy.detach();
  });
});

describe('the first level', () => {
  /** Returns the first level of a player whose own choice is the middle level. */
  const first = (options: AttachOptions) => {
    const { hls } = makePlayer('1.7.4', {
      levels: [level('low', 3e5), level('middle', 7e5), level('high', 3e6)],
    });
    hls.nextAutoLevel = 1;
    const sammy = attach(hls, options);
    const { firstAutoLevel } = hls;
    sammy.detach();
    return firstAutoLevel;
  };

  /** A history of 10 Mbit/s. */
  const storedHistory = (days: number) => {
    const storage = new Memory();
    const then = milliseconds(Date.now() - days * 24 * 3_600_000);
    new InitialThroughputHistory(storage).add(kbps(10_000), then, describePlace(undefined));
    return storage;
  };

  it("is hls.js's own choice if nothing is known about the network", () => {
    expect(first(QUIET)).toBe(1);
    expect(first({ ...QUIET, abr: HYB })).toBe(1);
  });

  it('follows the option or the history', () => {
    expect(first({ ...QUIET, default_throughput_kbps: 10_000 })).toBe(2);
    expect(first({ ...QUIET, default_throughput_kbps: 400 })).toBe(0);
    expect(first({ storage: storedHistory(0) })).toBe(2);
  });

  it("is hls.js's own choice if the history is a week old", () => {
    expect(first({ storage: storedHistory(7) })).toBe(1);
  });

  it("is given back to an application's estimator that takes no samples", () => {
    const { hls } = makePlayer('1.7.4', { abrController: { bwEstimator: { getEstimate: () => 5e5 } } });
    const sammy = attach(hls, { ...QUIET, storage: storedHistory(0) });
    sammy.detach();
    expect(hls.bandwidthEstimate).toBeGreaterThan(1e6);
    expect(Object.hasOwn(hls, 'nextAutoLevel')).toBe(false);
  });

  it('is tested by hls.js with startLevel -1 if nothing is known about the network', () => {
    const { hls } = makePlayer('1.7.4');
    const sammy = attach(hls, QUIET);
    expect(hls.startLevel).toBe(-1);
    hls.startLevel = 2;
    expect(hls.startLevel).toBe(2);
    sammy.detach();
    expect(hls.startLevel).toBe(2);
  });
});

describe('a request', () => {
  /** A policy that always requests 5 Mbit/s. */
  const always: PacePolicy = { name: 'always', choosePace: () => ({ pace: kbps(5000), reason: 'own' }) };
  const options = { ...QUIET, abr: HYB, pace: always };

  /** Returns the decisions of the requests that `act` makes. */
  async function decide(act: (hls: HlsPlayer) => readonly string[], more: Some<HlsPlayer> = {}) {
    const { hls } = makePlayer('1.7.4', { mainForwardBufferInfo: { len: 20 }, ...more });
    const sammy = attach(hls, options);
    const decisions: Decision[] = [];
    sammy.on('request', (decision) => decisions.push(decision));
    const urls = act(hls);
    await Promise.resolve();
    sammy.detach();
    return { decisions, urls: urls.map((url) => decodeURIComponent(url)) };
  }

  it('has the pace of a complete segment even for a part', async () => {
    const part = { start: 0, duration: 0.3 } as Part;
    const { decisions, urls } = await decide((hls) => [
      request(hls, fragment()),
      request(hls, fragment(), part),
    ]);
    expect(urls[0]).toContain('rtp=5000');
    expect(urls[1]).toBe('http://edge.example/1.m4s');
    expect(decisions.map(({ pace_reason, segment_duration_s }) => [pace_reason, segment_duration_s])).toEqual(
      [
        ['own', 4],
        ['low-latency', 0.3],
      ],
    );
  });

  it('has no pace for an initialization segment, subtitles, or another scheme', async () => {
    const { decisions, urls } = await decide((hls) => [
      request(hls, fragment({ sn: 'initSegment' })),
      request(hls, fragment({ type: 'subtitle' })),
    ]);
    expect(urls).toEqual(['http://edge.example/1.m4s', 'http://edge.example/1.m4s']);
    expect(decisions).toEqual([]);
  });

  it('sends the first rtp to an origin with video, although hls.js may request audio before', async () => {
    const audio = fragment({ type: 'audio' });
    const { decisions } = await decide((hls) => [request(hls, audio), request(hls, fragment())], {
      audioForwardBufferInfo: { len: 20 },
    });
    expect(decisions.map(({ media_type, pace_reason }) => [media_type, pace_reason])).toEqual([
      ['audio', 'rtp-untried'],
      ['video', 'own'],
    ]);
  });

  it('uses only the fixed level as ladder', async () => {
    const { decisions } = await decide((hls) => [request(hls, fragment({ level: 1 }))], {
      autoLevelEnabled: false,
    });
    expect(decisions[0]).toMatchObject({ representation: 'high', top_bitrate_kbps: 3000 });
  });
});

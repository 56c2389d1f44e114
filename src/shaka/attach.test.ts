import { describe, expect, it, vi } from 'vitest';
import { attach } from './attach.ts';
import type { AbrManager } from './player.ts';
import { FakePlayer, makeRequest, OwnManager, segment, stream, variant } from './testing/player.ts';

const QUIET = { storage: null } as const;
const VIDEOS = [300, 1500, 3000].map((rate) => stream('video', `v${rate}`, { bandwidth: rate * 1000 }));
const VARIANTS = VIDEOS.map((video) => variant(video));
const [LOW, , HIGH] = VARIANTS;

const makePlayer = () => new FakePlayer(VARIANTS);
/** Options with which the highest variant is chosen. */
const FAST = { ...QUIET, default_throughput_kbps: 50_000 };

describe('attach', () => {
  it('refuses other objects, other versions, and a second attachment', () => {
    expect(() => attach({} as never, QUIET)).toThrow('a Shaka player');
    expect(() => attach(Map as never, QUIET)).toThrow('player is the function Map, expected a Shaka player');
    class Older extends FakePlayer {
      static override readonly version = 'v5.1.12';
    }
    expect(() => attach(new Older(VARIANTS).player, QUIET)).toThrow(
      "Shaka Player is 'v5.1.12', expected 5.2 or a later 5",
    );
    const destroyed = Object.assign(makePlayer(), { getNetworkingEngine: () => null });
    expect(() => attach(destroyed as never, QUIET)).toThrow('that is not destroyed');
    const { player } = makePlayer();
    const sammy = attach(player, QUIET);
    expect(() => attach(player, QUIET)).toThrow('call detach() first');
    sammy.detach();
    attach(player, QUIET).detach();
  });

  it('restores what it has changed in the player, and nothing else', () => {
    const shaka = makePlayer();
    const { abrFactory } = shaka.config;
    const sammy = attach(shaka.player, FAST);
    expect(shaka.load()).toBe(HIGH);
    expect([shaka.requestFilters.size, shaka.responseFilters.size]).toEqual([1, 1]);
    sammy.detach();
    expect(shaka.config.abrFactory).toBe(abrFactory);
    expect([shaka.requestFilters.size, shaka.responseFilters.size, shaka.count()]).toEqual([0, 0, 0]);
    // Shaka chooses by its own estimate of 1 Mbit/s.
    expect(shaka.manager?.chooseVariant()).toBe(LOW);
    expect(Object.keys(shaka.manager ?? {})).toEqual(Object.keys(new OwnManager()));
    expect(shaka.load()).toBe(LOW);
  });

  it('takes over only the manager of the loaded source', () => {
    const shaka = makePlayer();
    const other = makePlayer();
    other.load();
    expect(shaka.load()).toBe(LOW);
    const sammy = attach(shaka.player, FAST);
    shaka.fire('segmentappended', { contentType: 'video' });
    expect(shaka.manager?.switchedTo).toBe(HIGH);
    expect(other.manager?.chooseVariant()).toBe(LOW);
    sammy.detach();
    expect(shaka.manager?.chooseVariant()).toBe(LOW);
    // Attach Sammy again while the same manager is in use.
    attach(shaka.player, FAST);
    expect(shaka.manager?.chooseVariant()).toBe(HIGH);
  });

  it('overrides a factory that the application sets later, with one warning, and restores it', async () => {
    const shaka = makePlayer();
    const sammy = attach(shaka.player, FAST);
    const warnings: string[] = [];
    sammy.on('warning', ({ code }) => warnings.push(code));
    const later = () => new OwnManager();
    shaka.configure('abrFactory', later);
    shaka.requestFilters.clear();
    expect(shaka.load()).toBe(HIGH);
    shaka.load();
    await Promise.resolve();
    expect(warnings).toEqual(['settings-overridden']);
    expect(shaka.requestFilters.size).toBe(1);
    sammy.detach();
    expect(shaka.config.abrFactory).toBe(later);
  });

  it('does not release the current manager, which a factory may return each time', () => {
    const shaka = makePlayer();
    const manager = new OwnManager();
    shaka.configure('abrFactory', () => manager);
    shaka.load();
    attach(shaka.player, FAST);
    expect(manager.isReleased).toBe(false);
    expect(manager.chooseVariant()).toBe(HIGH);
  });

  it("supports a factory that wraps Sammy's", () => {
    const shaka = makePlayer();
    const sammy = attach(shaka.player, FAST);
    const found = shaka.config.abrFactory;
    shaka.configure('abrFactory', () => found());
    expect(shaka.load()).toBe(HIGH);
    sammy.detach();
    expect(shaka.load()).toBe(LOW);
  });

  it('restores methods of the manager object itself', () => {
    const shaka = makePlayer();
    const manager = new OwnManager();
    const chooseVariant = () => OwnManager.prototype.chooseVariant.call(manager);
    shaka.configure('abrFactory', () => Object.assign(manager, { chooseVariant }));
    const sammy = attach(shaka.player, FAST);
    expect(shaka.load()).toBe(HIGH);
    sammy.detach();
    expect(Object.entries(manager)).toContainEqual(['chooseVariant', chooseVariant]);
    expect(manager.chooseVariant()).toBe(LOW);
  });
});

describe('the choice of variants', () => {
  it("is Shaka's with the option abr 'player'", () => {
    const shaka = makePlayer();
    const sammy = attach(shaka.player, { ...FAST, abr: 'player' });
    expect(shaka.load()).toBe(LOW);
    sammy.update({ abr: 'hyb' });
    expect(shaka.manager?.chooseVariant()).toBe(HIGH);
  });

  it.each([
    // Excluded variant, `max_bitrate_kbps`, and expected variant. Without the exclusion, Sammy would choose the first.
    ['one in the middle of the ladder', VARIANTS[1], 2000, LOW],
    ['the highest one', HIGH, Infinity, VARIANTS[1]],
    ['the lowest one', LOW, 1000, VARIANTS[1]],
  ])('omits a variant that the restrictions exclude: %s', (_, excluded, max_bitrate_kbps, expected) => {
    const shaka = makePlayer();
    attach(shaka.player, { ...FAST, ...(max_bitrate_kbps < Infinity && { max_bitrate_kbps }) });
    shaka.load();
    if (shaka.manager) shaka.manager.isAllowed = (each) => each !== excluded;
    expect(shaka.manager?.chooseVariant()).toBe(expected);
  });

  it('of a preloaded source does not affect the current source', async () => {
    const shaka = makePlayer();
    const sammy = attach(shaka.player, FAST);
    const tops: number[] = [];
    sammy.on('request', ({ top_bitrate_kbps }) => tops.push(top_bitrate_kbps));
    shaka.load();
    const other = variant(stream('video', 'other', { bandwidth: 100_000 }));
    expect(shaka.preload([other])).toBe(other);
    shaka.send(makeRequest(), { stream: VIDEOS[0] as never, segment: segment() });
    await Promise.resolve();
    expect(tops).toEqual([3000]);
    shaka.fire('segmentappended', { contentType: 'video' });
    expect(shaka.manager?.switchedTo).toBe(HIGH);
  });

  it('of a replacement lasts until its request has ended', () => {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval', 'Date'] });
    const audio = stream('audio', 'a', { bandwidth: 96_000 });
    const shaka = new FakePlayer(VIDEOS.map((video) => variant(video, audio)));
    shaka.buffered_s = 4;
    attach(shaka.player, FAST);
    shaka.load();
    const [sound, video] = [makeRequest(), makeRequest()];
    shaka.send(sound, { stream: audio, segment: segment() });
    shaka.send(video, { stream: VIDEOS[2] as never, segment: segment({ getStartTime: 4, getEndTime: 8 }) });
    shaka.fire('downloadheadersreceived', { request: video, headers: { 'content-length': '1500000' } });
    // At 0.1 Mbit/s, 1.5 MB would take two minutes.
    for (let step = 0; step < 8; step++) {
      (shaka.manager as AbrManager | undefined)?.segmentDownloaded(250, 3125, true, video);
      vi.advanceTimersByTime(250);
    }
    expect(shaka.manager?.switchedTo?.video).toBe(VIDEOS[0]);
    const estimate = () => shaka.manager?.getBandwidthEstimate();
    expect(estimate()).toBe(Infinity);
    const response = { uri: '', data: new Uint8Array(50_000), headers: {}, status: 200 };
    shaka.fire('downloadcompleted', { requestType: 1, request: sound, response });
    expect(estimate()).toBe(Infinity);
    shaka.fire('segmentappended', { contentType: 'audio' });
    expect(shaka.manager?.switchedTo?.video).toBe(VIDEOS[0]);
    expect(estimate()).toBe(Infinity);
    // The choice for a preloaded source is not affected by the replacement.
    const top = variant(stream('video', 'other', { bandwidth: 100_000_000 }));
    const low = variant(stream('video', 'other-low', { bandwidth: 100_000 }));
    expect(shaka.preload([low, top])).toBe(low);
    const error = { code: 7001, data: [] };
    shaka.fire('downloadfailed', { request: video, error, httpResponseCode: 0, aborted: false });
    expect(estimate()).toBeLessThan(1e9);
    vi.useRealTimers();
  });

  it("continues with Shaka's estimate if the manager throws while its restrictions are determined", () => {
    const shaka = makePlayer();
    attach(shaka.player, FAST);
    shaka.load();
    let asked = 0;
    if (shaka.manager)
      shaka.manager.isAllowed = () => {
        // Do not throw for Shaka's own choice, which comes first.
        if (++asked > VARIANTS.length) throw new Error('of the application');
        return true;
      };
    expect(shaka.manager?.chooseVariant()).toBe(LOW);
    expect(shaka.manager?.getBandwidthEstimate()).toBe(1_000_000);
  });

  it('waits for the end of a segment, because an earlier switch would abort it', () => {
    const shaka = makePlayer();
    attach(shaka.player, FAST);
    shaka.load();
    shaka.manager?.segmentDownloaded(100, 1000, true);
    shaka.manager?.trySuggestStreams();
    expect(shaka.manager).toMatchObject({ samples: 1, switchedTo: undefined });
    shaka.fire('segmentappended', { contentType: 'text' });
    expect(shaka.manager?.switchedTo).toBeUndefined();
    shaka.fire('segmentappended', { contentType: 'video' });
    expect(shaka.manager?.switchedTo).toBe(HIGH);
  });

  it('does not change while the application has disabled switches', () => {
    const shaka = makePlayer();
    attach(shaka.player, FAST);
    shaka.load();
    if (shaka.manager) shaka.manager.isEnabled = false;
    shaka.fire('segmentappended', { contentType: 'video' });
    expect(shaka.manager?.switchedTo).toBeUndefined();
  });

  it("reports the network's throughput to Shaka", async () => {
    const shaka = makePlayer();
    const sammy = attach(shaka.player, FAST);
    shaka.load();
    expect(shaka.manager?.getBandwidthEstimate()).toBe(1_000_000);
    const request = makeRequest();
    shaka.send(request, { stream: VIDEOS[0] as never, segment: segment() });
    await new Promise((resolve) => setTimeout(resolve, 50));
    shaka.fire('downloadcompleted', {
      ...{ requestType: 1, request },
      response: { uri: request.uris[0], data: new Uint8Array(100_000), headers: {}, status: 200 },
    });
    const estimate = shaka.manager?.getBandwidthEstimate() ?? NaN;
    sammy.on('request', ({ estimate_kbps }) => expect(estimate).toBe(1000 * (estimate_kbps ?? NaN)));
    shaka.send(makeRequest(), { stream: VIDEOS[0] as never, segment: segment() });
    await Promise.resolve();
    expect.assertions(3);
    sammy.detach();
    expect(shaka.manager?.getBandwidthEstimate()).toBeCloseTo(estimate);
  });
});

import { describe, expect, it } from 'vitest';
import { HYB } from '../abr/hyb.ts';
import type { CompletedDecision, Decision } from '../decision.ts';
import type { PacePolicy } from '../pace/pace.ts';
import { kbps } from '../units.ts';
import { attach } from './attach.ts';
import type { RequestContext } from './player.ts';
import { FakePlayer, makeRequest, segment, stream, variant } from './testing/player.ts';

/** A policy that always requests 5 Mbit/s. */
const always: PacePolicy = { name: 'always', choosePace: () => ({ pace: kbps(5000), reason: 'own' }) };
const OPTIONS = { storage: null, abr: HYB, pace: always };

const AUDIO = stream('audio', 'a', { bandwidth: 96_000 });
const [LOW, HIGH] = [300, 3000].map((rate) => stream('video', `v${rate}`, { bandwidth: rate * 1000 }));
const VIDEO: RequestContext = { stream: HIGH as never, segment: segment() };
const URL = 'https://edge.example/1.m4s';

function play(more: Partial<FakePlayer> = {}) {
  const shaka = Object.assign(
    new FakePlayer([LOW, HIGH].map((video) => variant(video ?? null, AUDIO))),
    more,
  );
  const sammy = attach(shaka.player, OPTIONS);
  const decisions: Decision[] = [];
  const completed: CompletedDecision[] = [];
  sammy.on('request', (decision) => decisions.push(decision));
  sammy.on('decision', (decision) => completed.push(decision));
  shaka.load();
  return { shaka, sammy, decisions, completed };
}

describe('a request', () => {
  it("has the pace of a segment, with Sammy's rtp instead of Shaka's", async () => {
    const { shaka, decisions } = play();
    const query = encodeURIComponent('bl=9000,mtp=4000,rtp=12000');
    const sent = shaka.send(makeRequest({ uris: [`${URL}?CMCD=${query}`] }), VIDEO);
    expect(sent.match(/rtp=\d+/g)).toEqual(['rtp=5000']);
    expect(sent).toContain('bl=9000');
    await Promise.resolve();
    expect(decisions).toMatchObject([
      { representation: 'v3000', bitrate_kbps: 3000, top_bitrate_kbps: 3000, segment_duration_s: 4 },
    ]);
  });

  it("has the pace in the header if Shaka's CMCD is there", () => {
    const { shaka } = play();
    const request = makeRequest({ headers: { 'CMCD-Status': 'rtp=12000', 'CMCD-Object': 'br=3000' } });
    expect(shaka.send(request, VIDEO)).toBe(URL);
    expect(request.headers['CMCD-Status']).toMatch(/,rtp=5000$/);
    expect(request.headers['CMCD-Object']).toBe('br=3000');
  });

  it.each([
    ['an initialization segment', { stream: HIGH }],
    ['subtitles', { stream: { ...HIGH, type: 'text' }, segment: segment() }],
    ['a preloading player while nothing plays', { ...VIDEO, isPreload: true }],
    ['something else', {}],
  ])('requests no pace with %s', async (_, context) => {
    const { shaka, decisions } = play();
    expect(shaka.send(makeRequest(), context as RequestContext)).toBe(URL);
    await Promise.resolve();
    expect(decisions).toEqual([]);
  });

  it.each([
    ['a part of a segment', {}, { ...VIDEO, segment: segment({ isPartial: true }) }],
    ['a low-latency stream', { isLowLatency: true }, VIDEO],
  ])('requests no pace with %s', async (_, more, context) => {
    const { shaka, decisions } = play(more);
    expect(shaka.send(makeRequest(), context)).toBe(URL);
    await Promise.resolve();
    expect(decisions).toMatchObject([{ pace_reason: 'low-latency' }]);
  });

  it('has no pace after detach, even from a player that has copied the filters', () => {
    const { shaka, sammy } = play();
    const [filter] = shaka.requestFilters;
    sammy.detach();
    const request = makeRequest();
    void filter?.(1, request, VIDEO);
    expect(request.uris).toEqual([URL]);
  });

  it('has the pace of the current video, at least its own bitrate, while preloading', () => {
    const { shaka } = play();
    const preload = (bandwidth: number, more = {}) =>
      shaka.send(makeRequest(more), {
        ...{ isPreload: true, segment: segment() },
        stream: stream('video', 'next', { bandwidth }),
      });
    shaka.element.fire('playing');
    const request = makeRequest();
    shaka.send(request, VIDEO);
    // The origin has not answered a request with rtp yet.
    expect(preload(3_000_000)).toBe(URL);
    const response = { uri: URL, data: new Uint8Array(1_500_000), headers: {}, status: 200 };
    shaka.fire('downloadcompleted', { requestType: 1, request, response });
    expect(preload(3_000_000)).toMatch(/,rtp=5000$/);
    expect(preload(8_000_000)).toMatch(/,rtp=8000$/);
    expect(preload(3_000_000, { attempt: 1 })).toBe(URL);
  });

  it('sends the first rtp to an origin with video, although Shaka may request audio before', async () => {
    const { shaka, decisions } = play();
    shaka.send(makeRequest(), { stream: AUDIO, segment: segment() });
    shaka.send(makeRequest(), VIDEO);
    await Promise.resolve();
    expect(decisions.map(({ media_type, pace_reason }) => [media_type, pace_reason])).toEqual([
      ['audio', 'rtp-untried'],
      ['video', 'own'],
    ]);
  });

  it.each([
    // Shaka waits for up to 1.5 s before it repeats a request, and the answer takes further time.
    ['the buffer may run out while Shaka waits to repeat it', { buffered_s: 3.4 }, {}],
    ['Shaka would not repeat it', {}, { attempt: 1 }],
  ])('does not ask an origin first if %s', async (_, more, request) => {
    const { shaka, decisions } = play(more);
    expect(shaka.send(makeRequest(request), VIDEO)).toBe(URL);
    await Promise.resolve();
    expect(decisions).toMatchObject([{ pace_reason: 'rtp-untried' }]);
  });

  it('uses only the fixed quality as ladder', async () => {
    const { shaka, decisions } = play();
    shaka.configure('abr.enabled', false);
    shaka.send(makeRequest(), { stream: LOW as never, segment: segment() });
    await Promise.resolve();
    expect(decisions).toMatchObject([{ representation: 'v300', top_bitrate_kbps: 300 }]);
  });
});

describe('the end of a request', () => {
  it('is canceled by Shaka after half of the buffer, and repeated without a pace with the original timeouts', async () => {
    const { shaka, completed } = play({ buffered_s: 5.5 });
    const request = makeRequest();
    expect(shaka.send(request, VIDEO)).toContain('rtp=5000');
    // 5.5 s are buffered, and Shaka waits for up to 1.5 s: (5.5 - 1.5) / 2 = 2 s.
    expect(request.retryParameters).toMatchObject({ connectionTimeout: 2000, stallTimeout: 2000 });
    shaka.fire('downloadfailed', {
      request,
      error: { code: 7001, data: [] },
      httpResponseCode: 0,
      aborted: true,
    });
    request.attempt = 1;
    expect(shaka.send(request, VIDEO)).toBe(URL);
    expect(request.retryParameters).toMatchObject({ connectionTimeout: 10_000, stallTimeout: 5000 });
    await Promise.resolve();
    expect(completed).toMatchObject([{ outcome: 'failed' }]);
  });

  it('is canceled earlier at twice the speed', () => {
    const { shaka } = play({ buffered_s: 8, getPlaybackRate: () => 2 });
    const request = makeRequest();
    expect(shaka.send(request, VIDEO)).toContain('rtp=5000');
    // 8 s of content last for 4 s: (4 - 1.5) / 2 = 1.25 s.
    expect(request.retryParameters).toMatchObject({ connectionTimeout: 1250 });
  });

  it('keeps its timeouts if Shaka would not repeat it, because an error would end playback', () => {
    const { shaka } = play({ buffered_s: 5.5 });
    const first = makeRequest();
    shaka.send(first, VIDEO);
    const response = { status: 200, uri: URL, headers: {}, data: new ArrayBuffer(8) };
    shaka.fire('downloadcompleted', { requestType: 1, request: first, response });
    const last = makeRequest({ attempt: 1 });
    expect(shaka.send(last, VIDEO)).toContain('rtp=5000');
    expect(last.retryParameters).toMatchObject({ connectionTimeout: 10_000, stallTimeout: 5000 });
  });

  it.each([
    ['an error', { error: { code: 1001, data: ['', 403, '', {}] }, httpResponseCode: 403 }, 'failed'],
    ["Shaka's abortion", { error: { code: 7001, data: [] }, httpResponseCode: 0 }, 'abandoned'],
  ])('is %s', async (_, event, outcome) => {
    const { shaka, completed } = play();
    const request = makeRequest();
    shaka.send(request, VIDEO);
    shaka.fire('downloadfailed', { request, aborted: false, ...event });
    await Promise.resolve();
    expect(completed).toMatchObject([{ outcome }]);
  });

  it('includes the receipt, whatever the case of its header', async () => {
    const { shaka, completed } = play();
    const request = makeRequest();
    shaka.send(request, VIDEO);
    const headers = { 'cmsd-dynamic': '"edge";io.github.dashjs-sammy-pace=5000' };
    const response = { uri: URL, data: new Uint8Array(1000), headers, status: 200 };
    shaka.fire('downloadcompleted', { requestType: 1, request, response });
    await Promise.resolve();
    expect(completed).toMatchObject([{ outcome: 'completed', applied_kbps: 5000 }]);
  });

  it("repeats a request without media in the response, and passes each response once to the application's filters", async () => {
    const { shaka } = play();
    const seen: unknown[] = [];
    for (const registered of ['before', 'after'])
      shaka.responseFilters.add((_, { data }) => {
        seen.push(`${registered}: ${data.byteLength}`);
        return undefined;
      });
    // The application's first filter was registered before Sammy's.
    const [own, first] = shaka.responseFilters;
    shaka.responseFilters.delete(own as never);
    shaka.responseFilters.add(own as never);
    shaka.responseFilters.delete(first as never);
    shaka.responseFilters.add(first as never);
    const request = makeRequest();
    shaka.send(request, VIDEO);
    const response = {
      ...{ uri: URL, data: new Uint8Array(0), headers: {}, status: 200 },
      originalRequest: request,
    };
    shaka.fire('downloadcompleted', { requestType: 1, request, response });
    await shaka.filter(response as never, VIDEO);
    expect(shaka.requested).toHaveLength(1);
    expect(response.data.byteLength).toBe(9);
    expect(seen.toSorted()).toEqual(['after: 0', 'after: 9', 'before: 0', 'before: 9']);
    // The shorter timeouts applied only to the attempt with a pace.
    expect(shaka.requested[0]).toMatchObject({ uris: [URL] });
    expect(request.retryParameters).toMatchObject({ connectionTimeout: 10_000, stallTimeout: 5000 });
  });

  it('leaves no pace in a retry after detach', () => {
    const { shaka, sammy } = play();
    const request = makeRequest();
    expect(shaka.send(request, VIDEO)).toContain('rtp=5000');
    sammy.detach();
    shaka.fire('downloadfailed', { request, error: null, httpResponseCode: 503, aborted: false });
    request.attempt = 1;
    expect(shaka.send(request, VIDEO)).toBe(URL);
    expect(request.retryParameters).toMatchObject({ connectionTimeout: 10_000, stallTimeout: 5000 });
  });

  it('leaves no pace in the retry of a preload request after detach', async () => {
    const { shaka, sammy } = play();
    shaka.element.fire('playing');
    const first = makeRequest();
    shaka.send(first, VIDEO);
    await Promise.resolve();
    const response = { uri: URL, data: new Uint8Array(1_500_000), headers: {}, status: 200 };
    shaka.fire('downloadcompleted', { requestType: 1, request: first, response });
    const preload = { ...VIDEO, isPreload: true };
    // A request for an index or an initialization segment has no pace.
    expect(shaka.send(makeRequest(), { ...preload, segment: undefined } as never)).toBe(URL);
    const request = makeRequest();
    expect(shaka.send(request, preload)).toContain('rtp=5000');
    // The preload manager still has a copy of the filter.
    const [filter] = shaka.requestFilters;
    sammy.detach();
    request.attempt = 1;
    void filter?.(1, request, preload);
    expect(request.uris).toEqual([URL]);
  });
});

describe('the buffer', () => {
  it.each([
    ['begins after a gap before the first frame', 0.08, 9.08],
    ['begins where Shaka does not jump to', 0.6, 0],
  ])('%s', async (_, start, expected) => {
    const { shaka, decisions } = play();
    shaka.buffered = [{ start, end: 9.08 }];
    shaka.send(makeRequest(), VIDEO);
    await Promise.resolve();
    expect(decisions).toMatchObject([{ buffer_s: expected }]);
  });
});

import { readFileSync } from 'node:fs';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { topRung } from '../../film/ladder.ts';
import { ABR_OPTIONS, createAbrState } from '../../testing/abr-state.ts';
import { createDownload } from '../../testing/download.ts';
import { algorithm1 } from '../../pace/algorithm-1.ts';
import type { CompletedDecision } from '../../decision.ts';
import { createLadder } from '../../testing/session.ts';
import { certain, ttpFile } from '../../testing/ttp-file.ts';
import { kbps, milliseconds, seconds } from '../../units.ts';
import type { Receipt } from '../../wire/receipt.ts';
import type { AbrSession, AbrState } from '../abr.ts';
import { hyb } from '../hyb.ts';
import { fugu, type FuguOptions } from './fugu.ts';

/** A receipt with all TCP statistics. */
const RECEIPT: Receipt = {
  cwnd_packets: 20,
  rtt_ms: milliseconds(50),
  min_rtt_ms: milliseconds(40),
  tcp_state: 'in_flight_packets=0,delivery_kbps=5000,app_limited=0',
};

/** A model that predicts half a second for every segment with TCP statistics, and 5 s without. */
const byVariant = ttpFile({ shares: (variant) => certain(variant === 'tcp' ? 1 : 10) });

function createState(given: Partial<AbrState> = {}): AbrState {
  const state = createAbrState({
    buffer: seconds(10),
    nextSegmentAt: seconds(20),
    segmentDuration: seconds(2),
    throughput: kbps(2000),
    receipt: RECEIPT,
  });
  const previous = topRung(state.ladder);
  return { ...state, previous, downloads: [createDownload(state, previous, kbps(2000))], ...given };
}

const sessionWith = (options: FuguOptions) => fugu(options).session(ABR_OPTIONS);

describe('fugu', () => {
  it('plans by the predicted times, with TCP and without', () => {
    const session = sessionWith({ model: byVariant });
    const fast = session.choose(createState());
    expect(fast.rung).toBe(topRung(createState().ladder));
    expect(fast.reason).toBe('plan by bitrate');
    // If every segment takes 5 s regardless of its size, playback stalls with any rung, so a low rung has no advantage.
    expect(session.choose(createState({ receipt: { cwnd_packets: 20 } })).reason).toBe(
      'plan by bitrate without TCP',
    );
  });

  it('treats a receipt with implausible values as incomplete', () => {
    const session = sessionWith({ model: byVariant });
    for (const lie of [
      { rtt_ms: -5 },
      { cwnd_packets: 1e12 },
      { tcp_state: 'in_flight_packets=x,delivery_kbps=1e30' },
    ])
      expect(session.choose(createState({ receipt: { ...RECEIPT, ...lie } as Receipt })).reason).toBe(
        'plan by bitrate without TCP',
      );
  });

  it('gives the same answers as a new session, whatever was asked before', () => {
    const model = readFileSync(new URL('../../../models/fugu-ttp.bin', import.meta.url));
    const state = createState();
    const downloadsAt = (throughput_kbps: number, count = 1) =>
      Array<CompletedDecision>(count).fill(createDownload(state, state.ladder[0], kbps(throughput_kbps)));
    const variations: Partial<AbrState>[] = [
      {},
      { buffer: seconds(10.4) },
      { buffer: seconds(4) },
      { previous: state.ladder[0] },
      { playbackRate: 2 },
      { lowLatency: true },
      { downloads: downloadsAt(400) },
      { downloads: downloadsAt(900) },
      { downloads: downloadsAt(3000, 8) },
      { receipt: { ...RECEIPT, rtt_ms: milliseconds(400) } },
      { receipt: undefined },
      { segmentDuration: seconds(4) },
      { bufferTarget: seconds(2) },
      { ladder: createLadder([200, 600, 1400, 2200, 3100]) },
      { ladder: createLadder([300, 1500]) },
    ];
    const newSession = () => {
      const session = sessionWith({ model });
      const download = {
        ...createDownload(state, topRung(state.ladder), kbps(2000)),
        segment_duration_s: 100,
      };
      session.observe?.({ type: 'download', download });
      return session;
    };
    const firstChoice = (session: AbrSession, given: Partial<AbrState>) => {
      const asked = { ...state, ...given };
      const choice = session.choose(asked);
      // When the pace of a rung is chosen, this rung is already the previous rung.
      return { choice, pace: session.requiredThroughput({ ...asked, previous: choice.rung }, choice.rung) };
    };
    const expected = variations.map((each) => firstChoice(newSession(), each));
    for (const before of variations) {
      variations.forEach((each, index) => {
        const session = newSession();
        firstChoice(session, before);
        expect(firstChoice(session, each)).toEqual(expected[index]);
      });
    }
    const different = new Set(expected.map(({ choice, pace }) => `${choice.rung.id} ${pace}`));
    expect(different.size).toBeGreaterThan(variations.length / 3);
  });

  describe('as a pace policy', () => {
    const algorithm = fugu({ model: byVariant });
    const choosePace = (state: AbrState, phase: 'playing' | 'initial' = 'playing') =>
      algorithm.choosePace({
        phase,
        state,
        rung: topRung(state.ladder),
        duration: seconds(2),
        maxBuffer: seconds(30),
        abr: algorithm.session(ABR_OPTIONS),
        carried: [],
      });

    it("requests the lowest pace that keeps the plan's value, but at least the bitrate", () => {
      // A segment of 2 s at 3300 kbit/s has 6600 kbit. With 20 s buffered, the plan's five segments may take 2 s each,
      // so the bitrate suffices as pace. With 1 s buffered, it does not.
      expect(choosePace(createState({ buffer: seconds(20) }))).toMatchObject({
        pace: 3300,
        reason: 'raised-to-segment-bitrate',
      });
      const { pace, reason } = choosePace(createState({ buffer: seconds(1) }));
      // RTT + 6600 kbit / pace <= 1 s with an RTT of 0.05 s requires 6948 kbit/s, or slightly less with a tolerance of
      // 0.05 dB, which is 0.5 ms of stall.
      expect(reason).toBe('least-pace');
      expect(pace).toBeGreaterThanOrEqual(6900);
      expect(pace).toBeLessThanOrEqual(7000);
    });

    it('gives the same pace with another fugu() object that has the same model', () => {
      const input = {
        phase: 'playing',
        state: createState({ buffer: seconds(1) }),
        rung: topRung(createState().ladder),
        duration: seconds(2),
        maxBuffer: seconds(30),
        abr: algorithm.session(ABR_OPTIONS),
        carried: [],
      } as const;
      const { pace, reason } = fugu({ model: byVariant }).choosePace(input);
      expect(reason).toBe('least-pace');
      expect(pace).toBe(algorithm.choosePace({ ...input, state: { ...input.state } }).pace);
    });

    it.each([1e12, 125_000])('ignores a round-trip time of %d ms', (rtt_ms) => {
      const at = (given: Partial<Receipt>) =>
        choosePace(createState({ buffer: seconds(20), receipt: { cwnd_packets: 20, ...given } }));
      expect(at({ rtt_ms: milliseconds(rtt_ms) })).toEqual(at({}));
      // A plausible round-trip time of 30 s adds 30 s to each download.
      expect(at({ rtt_ms: milliseconds(30_000) })).toMatchObject({ pace: null, reason: 'urgent' });
    });

    it('is urgent if a plan needs more than 3.2 times the top bitrate times the playback rate', () => {
      const reasonAt = (needed_kbps: number, playbackRate: number): string => {
        const session = algorithm.session(ABR_OPTIONS);
        const state = createState({ buffer: seconds(20), playbackRate });
        const input = {
          ...{ phase: 'playing' as const, state, rung: topRung(state.ladder), duration: seconds(2) },
          ...{ maxBuffer: seconds(30), carried: [] },
        };
        const abr: AbrSession = {
          choose: (given) => session.choose(given),
          requiredThroughput(given, rung) {
            session.requiredThroughput(given, rung);
            return kbps(needed_kbps);
          },
        };
        return algorithm.choosePace({ ...input, abr }).reason;
      };
      // The limit is 3.2 * 3300 = 10,560 kbit/s.
      expect([10_559, 10_561].map((needed) => reasonAt(needed, 1))).toEqual(['least-pace', 'urgent']);
      expect([21_119, 21_121].map((needed) => reasonAt(needed, 2))).toEqual(['least-pace', 'urgent']);
      // Slow playback does not lower the limit, because the viewer may end it.
      expect([10_559, 10_561].map((needed) => reasonAt(needed, 0.5))).toEqual(['least-pace', 'urgent']);
    });

    it('follows Algorithm 1 for another algorithm, for which it has no plan', () => {
      const state = createState({ buffer: seconds(20), previous: createState().ladder[0] });
      const input = {
        phase: 'playing',
        state,
        rung: state.ladder[0],
        duration: seconds(2),
        maxBuffer: seconds(30),
        carried: [],
      } as const;
      const other = { ...input, abr: hyb().session(ABR_OPTIONS) };
      expect(algorithm.choosePace(other)).toEqual(algorithm1({ c0: 3.2, c1: 2.8 }).choosePace(other));
      const own = { ...input, abr: algorithm.session(ABR_OPTIONS) };
      expect(['least-pace', 'raised-to-segment-bitrate']).toContain(algorithm.choosePace(own).reason);
    });

    it('requests no pace before playback, or if no pace suffices', () => {
      expect(choosePace(createState(), 'initial')).toEqual({ pace: null, reason: 'initial' });
      expect(choosePace(createState({ buffer: seconds(0) }))).toMatchObject({ pace: null, reason: 'urgent' });
    });
  });

  describe('without a model', () => {
    const own = hyb().session(ABR_OPTIONS);

    it.each([
      ['truncated', byVariant.subarray(0, -1), /^fugu: no model: it has .* truncated; HYB chooses$/],
      ['of another version', ttpFile({ shares: () => certain(0), header: { version: 4 } }), /version 4/],
      ['that cannot be read', () => Promise.reject(new Error('HTTP status 404')), /HTTP status 404/],
      [
        'whose reader throws',
        () => {
          throw new Error('no such file');
        },
        /no such file/,
      ],
    ])('continues with HYB, and warns once: one %s', async (_, model, warning) => {
      const warn = vi.fn();
      const algorithm = fugu({ model, warn });
      const session = algorithm.session(ABR_OPTIONS);
      session.choose(createState());
      await Promise.resolve();
      await new Promise((resolve) => setTimeout(resolve, 0));
      const state = createState();
      const choice = session.choose(state);
      expect(choice.rung).toBe(own.choose(state).rung);
      expect(choice.reason).toMatch(/^HYB, no model: /);
      expect(session.requiredThroughput(state, topRung(state.ladder))).toBe(
        own.requiredThroughput(state, topRung(state.ladder)),
      );
      algorithm.session(ABR_OPTIONS).choose(state);
      expect(warn).toHaveBeenCalledTimes(1);
      expect(warn).toHaveBeenCalledWith(expect.stringMatching(warning));
    });

    it('lets HYB choose until the model is available', async () => {
      const session = sessionWith({ model: () => Promise.resolve(byVariant) });
      expect(session.choose(createState()).reason).toMatch(/^HYB, the model is not there yet: /);
      await new Promise((resolve) => setTimeout(resolve, 0));
      expect(session.choose(createState()).reason).toBe('plan by bitrate');
    });
  });

  describe('whose model is at a URL', () => {
    /**
     * Serves the given answers to requests, in order. An Error stands for a network failure, and undefined for no
     * answer.
     */
    const serve = (...answers: readonly (Response | Error | Promise<Response> | undefined)[]) => {
      const coming = [...answers];
      const fetching = vi.fn((): Promise<Response> => {
        const answer = coming.shift();
        if (answer instanceof Error) return Promise.reject(answer);
        return answer ? Promise.resolve(answer) : new Promise<Response>(() => undefined);
      });
      vi.stubGlobal('fetch', fetching);
      return fetching;
    };
    const begin = () => {
      const warn = vi.fn();
      const algorithm = fugu({ model: '/fugu.bin', warn });
      /** The reason of a new session's choice. */
      const reason = () => algorithm.session(ABR_OPTIONS).choose(createState()).reason;
      return { algorithm, warn, reason };
    };
    const model = () => new Response(byVariant.slice());
    const settle = () => vi.advanceTimersByTimeAsync(0);
    beforeEach(() => vi.useFakeTimers());
    afterEach(() => {
      vi.useRealTimers();
      vi.unstubAllGlobals();
    });

    it.each<[string, Response | Error, string]>([
      ['an error page', new Response('', { status: 503 }), 'HTTP status 503'],
      [
        'the page of an application for any address',
        new Response('<!doctype html>'),
        'it is no model of transmission times, but HTML or XML',
      ],
      [
        'nothing, since it is not allowed to be read',
        new TypeError('Failed to fetch'),
        "Failed to fetch (out of reach, or forbidden by CORS or by the page's Content Security Policy)",
      ],
    ])(
      'warns once with the address if the response is %s, and names no address in its reasons',
      async (_, answer, why) => {
        serve(answer, answer);
        const { warn, reason } = begin();
        reason();
        await settle();
        reason();
        await settle();
        expect(warn.mock.calls).toEqual([[`fugu: no model at '/fugu.bin': ${why}; HYB chooses`]]);
      },
    );

    it('warns after half a minute without a response, and still uses a late model', async () => {
      let answer: (response: Response) => void = () => undefined;
      serve(new Promise<Response>((resolve) => (answer = resolve)));
      const { algorithm, warn } = begin();
      const session = algorithm.session(ABR_OPTIONS);
      const reason = () => session.choose(createState()).reason;
      expect(reason()).toMatch(/^HYB, the model is not there yet: /);
      await vi.advanceTimersByTimeAsync(29_000);
      expect(warn).not.toHaveBeenCalled();
      await vi.advanceTimersByTimeAsync(2000);
      expect(reason()).toMatch(/^HYB, no model: nothing has come in 30 s: /);
      answer(model());
      await settle();
      expect(reason()).toBe('plan by bitrate');
      expect(warn.mock.calls).toEqual([
        ["fugu: no model at '/fugu.bin': nothing has come in 30 s; HYB chooses"],
      ]);
    });

    it('fetches the model once for all sessions, and leaves no timer', async () => {
      const fetching = serve(model());
      const { algorithm, warn, reason } = begin();
      const [one, other] = [algorithm.session(ABR_OPTIONS), algorithm.session(ABR_OPTIONS)];
      for (const session of [one, other, one]) {
        session.requiredThroughput(createState(), topRung(createState().ladder));
        session.choose(createState());
      }
      await settle();
      expect(vi.getTimerCount()).toBe(0);
      for (const session of [one, other])
        expect(session.choose(createState()).reason).toBe('plan by bitrate');
      expect(reason()).toBe('plan by bitrate');
      expect(fetching).toHaveBeenCalledTimes(1);
      expect(warn).not.toHaveBeenCalled();
    });

    it.each<[string, Error | undefined]>([
      ['has failed', new TypeError('Failed to fetch')],
      ['has never come', undefined],
    ])('retries in the next session if it %s, and in no session twice', async (_, first) => {
      const fetching = serve(first, model());
      const { algorithm, reason } = begin();
      const session = algorithm.session(ABR_OPTIONS);
      session.choose(createState());
      await vi.advanceTimersByTimeAsync(40_000);
      expect(session.choose(createState()).reason).toMatch(/^HYB, no model: /);
      // A session that is asked only for a first bitrate does not fetch the model.
      const asked = createState({ buffer: seconds(0) });
      algorithm.session(ABR_OPTIONS).requiredThroughput(asked, topRung(asked.ladder));
      expect(fetching).toHaveBeenCalledTimes(1);
      expect(reason()).toMatch(/^HYB, the model is not there yet: /);
      await settle();
      expect(reason()).toBe('plan by bitrate');
      // The earlier session uses the model, too.
      expect(session.choose(createState()).reason).toBe('plan by bitrate');
      expect(fetching).toHaveBeenCalledTimes(2);
    });

    it('fetches the model when there is some buffer, so that it does not slow down the first segments', async () => {
      const fetching = serve(model());
      const { algorithm } = begin();
      const session = algorithm.session(ABR_OPTIONS);
      const [own, { bufferTarget }] = [hyb().session(ABR_OPTIONS), createState()];
      const room = Math.min(8, bufferTarget / 2);
      for (const buffer of [0, room - 0.1]) {
        const state = createState({ buffer: seconds(buffer) });
        const { rung, reason } = session.choose(state);
        expect(reason).toMatch(/^HYB, the model is fetched when there is a buffer: /);
        expect(rung).toBe(own.choose(state).rung);
        session.requiredThroughput(state, rung);
      }
      expect(fetching).not.toHaveBeenCalled();
      session.choose(createState({ buffer: seconds(room) }));
      expect(fetching).toHaveBeenCalledTimes(1);
      await settle();
      // The model is kept, whatever the buffer level.
      expect(session.choose(createState({ buffer: seconds(0) })).reason).toBe('plan by bitrate');
    });

    it('fetches the model, and retries, for paces if the viewer has fixed the quality', async () => {
      const fetching = serve(new TypeError('Failed to fetch'), model());
      const { algorithm } = begin();
      const rung = topRung(createState().ladder);
      for (const times of [1, 2]) {
        const session = algorithm.session(ABR_OPTIONS);
        session.requiredThroughput(createState({ buffer: seconds(0) }), rung);
        expect(fetching).toHaveBeenCalledTimes(times - 1);
        for (let asked = 0; asked < 2; asked++) {
          session.requiredThroughput(createState(), rung);
          await settle();
          expect(fetching).toHaveBeenCalledTimes(times);
        }
      }
      expect(algorithm.session(ABR_OPTIONS).choose(createState()).reason).toBe('plan by bitrate');
    });

    it('fetches the model after 20 s of content if the buffer stays short, as in live streams', () => {
      const fetching = serve(model());
      const session = begin().algorithm.session(ABR_OPTIONS);
      const short = createState({ buffer: seconds(1) });
      const [download] = short.downloads;
      if (!download) throw new Error('there is no download');
      for (let arrived_s = 0; arrived_s < 20; arrived_s += 4) {
        session.choose(short);
        expect(fetching).not.toHaveBeenCalled();
        session.observe?.({ type: 'download', download: { ...download, segment_duration_s: seconds(4) } });
      }
      session.choose(short);
      expect(fetching).toHaveBeenCalledTimes(1);
    });

    it('cancels a request without a response before it retries, and ignores its result', async () => {
      const signals: AbortSignal[] = [];
      let answer: (response: Response) => void = () => undefined;
      vi.stubGlobal('fetch', (_: string, { signal }: { signal: AbortSignal }) => {
        signals.push(signal);
        return new Promise<Response>((resolve, reject) => {
          answer = resolve;
          signal.addEventListener('abort', () => reject(new DOMException('aborted', 'AbortError')));
        });
      });
      const { warn, reason } = begin();
      reason();
      await vi.advanceTimersByTimeAsync(40_000);
      expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
      reason();
      await settle();
      expect(signals.map(({ aborted }) => aborted)).toEqual([true, false]);
      expect(reason()).toMatch(/^HYB, the model is not there yet: /);
      expect(signals).toHaveLength(2);
      answer(model());
      await settle();
      expect(reason()).toBe('plan by bitrate');
      expect(warn.mock.calls).toEqual([
        ["fugu: no model at '/fugu.bin': nothing has come in 30 s; HYB chooses"],
      ]);
    });

    it('keeps a model when an earlier attempt fails later', async () => {
      let fail: (error: Error) => void = () => undefined;
      serve(new Promise<Response>((_, reject) => (fail = reject)), model());
      const { reason } = begin();
      reason();
      await vi.advanceTimersByTimeAsync(40_000);
      reason();
      await settle();
      fail(new TypeError('Failed to fetch'));
      await settle();
      expect(reason()).toBe('plan by bitrate');
    });
  });

  it.each([
    ['undefined', () => undefined],
    ["'/model.bin'", () => '/model.bin'],
    ['[object Response]', () => Promise.resolve(new Response())],
  ])('names the value of the option model if it is not a file: %s', async (shown, model) => {
    const warn = vi.fn();
    sessionWith({ model: model as never, warn }).choose(createState());
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(warn.mock.calls).toEqual([
      [
        `fugu: no model: the file of the option model is ${shown}, expected an ArrayBuffer or a Uint8Array; HYB chooses`,
      ],
    ]);
  });

  it('continues with HYB if the warn function throws', () => {
    const console_ = vi.spyOn(console, 'warn').mockReturnValue();
    const warn = () => {
      throw new Error('not mine');
    };
    const session = sessionWith({ model: new Uint8Array(4), warn });
    expect(session.choose(createState()).reason).toMatch(/^HYB, no model: /);
    expect(console_.mock.calls).toEqual([['fugu: option warn threw Error: not mine']]);
    console_.mockRestore();
  });

  it('awaits a promise from another frame or a polyfill', async () => {
    const theirs: PromiseLike<Uint8Array> = {
      then: (onFulfilled, onRejected) => Promise.resolve(byVariant).then(onFulfilled, onRejected),
    };
    const session = sessionWith({ model: () => theirs });
    expect(session.choose(createState()).reason).toMatch(/^HYB, the model is not there yet: /);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(session.choose(createState()).reason).toBe('plan by bitrate');
  });

  it.each([undefined, null, 7, {}, { default: '/model.bin' }, [], new Response()])(
    'refuses %s for a model at once',
    (model) => {
      expect(() => fugu({ model: model as never })).toThrow(/^option model is .*, expected a model's URL/);
    },
  );

  it('rejects a warn that is not a function', () => {
    expect(() => fugu({ model: byVariant, warn: true as never })).toThrow(
      /^option warn is true, expected a function$/,
    );
  });

  it('refuses options out of range, by name', () => {
    expect(() => fugu({ model: byVariant, tolerance_db: -1 })).toThrow('option tolerance_db is -1');
    expect(() => fugu({ model: byVariant, mu_per_s: 0 })).toThrow('option mu_per_s is 0');
  });
});

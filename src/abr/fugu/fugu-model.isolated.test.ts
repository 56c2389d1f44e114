/** How Fugu loads its model, and that HYB chooses until the model is available. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { topRung } from '../../film/ladder.ts';
import { ABR_OPTIONS } from '../../testing/abr-state.ts';
import { certain, ttpFile } from '../../testing/ttp-file.ts';
import { seconds } from '../../units.ts';
import { hyb } from '../hyb.ts';
import { fugu } from './fugu.ts';
import { byVariant, createFuguState, sessionWith } from '../../testing/fugu-session.ts';

describe("fugu's model", () => {
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
      session.choose(createFuguState());
      await Promise.resolve();
      await new Promise((resolve) => setTimeout(resolve, 0));
      const state = createFuguState();
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
      expect(session.choose(createFuguState()).reason).toMatch(/^HYB, the model is not there yet: /);
      await new Promise((resolve) => setTimeout(resolve, 0));
      expect(session.choose(createFuguState()).reason).toBe('plan by bitrate');
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
      const reason = () => algorithm.session(ABR_OPTIONS).choose(createFuguState()).reason;
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
      const reason = () => session.choose(createFuguState()).reason;
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
        session.requiredThroughput(createFuguState(), topRung(createFuguState().ladder));
        session.choose(createFuguState());
      }
      await settle();
      expect(vi.getTimerCount()).toBe(0);
      for (const session of [one, other])
        expect(session.choose(createFuguState()).reason).toBe('plan by bitrate');
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
      session.choose(createFuguState());
      await vi.advanceTimersByTimeAsync(40_000);
      expect(session.choose(createFuguState()).reason).toMatch(/^HYB, no model: /);
      // A session that is asked only for a first bitrate does not fetch the model.
      const asked = createFuguState({ buffer: seconds(0) });
      algorithm.session(ABR_OPTIONS).requiredThroughput(asked, topRung(asked.ladder));
      expect(fetching).toHaveBeenCalledTimes(1);
      expect(reason()).toMatch(/^HYB, the model is not there yet: /);
      await settle();
      expect(reason()).toBe('plan by bitrate');
      // The earlier session uses the model, too.
      expect(session.choose(createFuguState()).reason).toBe('plan by bitrate');
      expect(fetching).toHaveBeenCalledTimes(2);
    });

    it('fetches the model when there is some buffer, so that it does not slow down the first segments', async () => {
      const fetching = serve(model());
      const { algorithm } = begin();
      const session = algorithm.session(ABR_OPTIONS);
      const [own, { bufferTarget }] = [hyb().session(ABR_OPTIONS), createFuguState()];
      const room = Math.min(8, bufferTarget / 2);
      for (const buffer of [0, room - 0.1]) {
        const state = createFuguState({ buffer: seconds(buffer) });
        const { rung, reason } = session.choose(state);
        expect(reason).toMatch(/^HYB, the model is fetched when there is a buffer: /);
        expect(rung).toBe(own.choose(state).rung);
        session.requiredThroughput(state, rung);
      }
      expect(fetching).not.toHaveBeenCalled();
      session.choose(createFuguState({ buffer: seconds(room) }));
      expect(fetching).toHaveBeenCalledTimes(1);
      await settle();
      // The model is kept, whatever the buffer level.
      expect(session.choose(createFuguState({ buffer: seconds(0) })).reason).toBe('plan by bitrate');
    });

    it('fetches the model, and retries, for paces if the viewer has fixed the quality', async () => {
      const fetching = serve(new TypeError('Failed to fetch'), model());
      const { algorithm } = begin();
      const rung = topRung(createFuguState().ladder);
      for (const times of [1, 2]) {
        const session = algorithm.session(ABR_OPTIONS);
        session.requiredThroughput(createFuguState({ buffer: seconds(0) }), rung);
        expect(fetching).toHaveBeenCalledTimes(times - 1);
        for (let asked = 0; asked < 2; asked++) {
          session.requiredThroughput(createFuguState(), rung);
          await settle();
          expect(fetching).toHaveBeenCalledTimes(times);
        }
      }
      expect(algorithm.session(ABR_OPTIONS).choose(createFuguState()).reason).toBe('plan by bitrate');
    });

    it('fetches the model after 20 s of content if the buffer stays short, as in live streams', () => {
      const fetching = serve(model());
      const session = begin().algorithm.session(ABR_OPTIONS);
      const short = createFuguState({ buffer: seconds(1) });
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
    sessionWith({ model: model as never, warn }).choose(createFuguState());
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
    expect(session.choose(createFuguState()).reason).toMatch(/^HYB, no model: /);
    expect(console_.mock.calls).toEqual([['fugu: option warn threw Error: not mine']]);
    console_.mockRestore();
  });

  it('awaits a promise from another frame or a polyfill', async () => {
    const theirs: PromiseLike<Uint8Array> = {
      then: (onFulfilled, onRejected) => Promise.resolve(byVariant).then(onFulfilled, onRejected),
    };
    const session = sessionWith({ model: () => theirs });
    expect(session.choose(createFuguState()).reason).toMatch(/^HYB, the model is not there yet: /);
    await new Promise((resolve) => setTimeout(resolve, 0));
    expect(session.choose(createFuguState()).reason).toBe('plan by bitrate');
  });

  it.each([undefined, null, 7, {}, { default: '/model.bin' }, [], new Response()])(
    'refuses %s for a model at once',
    (model) => {
      expect(() => fugu({ model: model as never })).toThrow(/^option model is .*, expected a model's URL/);
    },
  );
});

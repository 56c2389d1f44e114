import { describe, expect, it } from 'vitest';
import { paceKeys, putRtp } from '../host/cmcd.ts';
import type { RequestEnd } from '../host/page-session.ts';
import { kbps } from '../units.ts';
import { makeLoaderClass, type Follow } from './loader.ts';
import type { HlsConfig, Loader, LoaderCallbacks, LoaderContext, LoaderStats } from './player.ts';

const CONFIG = {} as HlsConfig;
const PACED = paceKeys(kbps(9900), null);

/** A loader like hls.js's own. The test ends its requests. */
class FakeLoader implements Loader {
  readonly stats: LoaderStats = {
    ...{ aborted: false, retry: 0, loaded: 0, total: 0 },
    loading: { start: 0, first: 0, end: 0 },
  } as LoaderStats;
  context: LoaderContext | null = null;
  isDestroyed = false;
  #callbacks: LoaderCallbacks | undefined;

  load(context: LoaderContext, _: unknown, callbacks: LoaderCallbacks): void {
    this.context = context;
    this.#callbacks = callbacks;
  }

  succeed(size_bytes: number, headers: Record<string, string> = {}): void {
    this.stats.loaded = size_bytes;
    const response = { url: 'http://cdn.example/1.m4s', data: new ArrayBuffer(size_bytes), code: 200 };
    const details = { headers: new Headers(headers) } as Response;
    this.#callbacks?.onSuccess(response, this.stats, this.sent, details);
  }

  fail(code: number): void {
    this.#callbacks?.onError({ code, text: '' }, this.sent, null, this.stats);
  }

  abort(): void {
    this.#callbacks?.onAbort?.(this.stats, this.sent, null);
  }

  destroy(): void {
    this.isDestroyed = true;
    this.#callbacks = undefined;
  }

  /** The context's values when the request is sent. */
  get sent(): LoaderContext {
    if (!this.context) throw new Error('nothing was loaded');
    return this.context;
  }
}

/** Loads a segment. `repeats` has, for each attempt, whether to repeat it without a pace. */
function load(repeats: readonly boolean[] = [], write?: (context: LoaderContext) => void) {
  const inner: FakeLoader[] = [];
  const ends: RequestEnd[] = [];
  const told: (readonly [string, number])[] = [];
  let giveUp: () => void = () => undefined;
  const follow: Follow = (_, __, abandon) => {
    giveUp = abandon;
    const keys = ends.length === 0 ? PACED : [];
    return {
      put: (carrier) => putRtp(carrier, keys, 'query'),
      end: (end) => repeats[ends.push(end) - 1] ?? false,
    };
  };
  const SammyLoader = makeLoaderClass(() => {
    const made = new FakeLoader();
    const plain = made.load.bind(made);
    made.load = (context, config, callbacks) => {
      write?.(context);
      plain(context, config, callbacks);
    };
    inner.push(made);
    return made;
  }, follow);
  const loader = new SammyLoader(CONFIG);
  const { stats } = loader;
  // hls.js sets this counter, too.
  stats.retry = 2;
  const context = { url: 'http://edge.example/1.m4s', headers: {} } as LoaderContext;
  loader.load(context, {} as never, {
    onSuccess: (_, { loaded }) => told.push(['success', loaded]),
    onError: ({ code }) => told.push(['error', code]),
    onTimeout: ({ loaded }) => told.push(['timeout', loaded]),
    onAbort: ({ loaded }) => told.push(['abort', loaded]),
  });
  return { loader, stats, inner, ends, told, context, giveUp: () => giveUp() };
}

describe('the loader', () => {
  it('reads all headers of the response, which hls.js does not expose', () => {
    const { inner, ends, told } = load();
    inner[0]?.succeed(1000, { 'CMSD-Dynamic': '"edge";etp=9200' });
    expect(told).toEqual([['success', 1000]]);
    const [end] = ends;
    expect(end).toMatchObject({
      status: 200,
      size_bytes: 1000,
      url: 'http://cdn.example/1.m4s',
      aborted: false,
    });
    expect(end?.header('cmsd-dynamic')).toBe('"edge";etp=9200');
  });

  it('replaces the rtp that hls.js adds later, in the URL or the headers', () => {
    const query = load([], (context) => {
      context.url += `${context.url.includes('?') ? '&' : '?'}CMCD=${encodeURIComponent('br=1,rtp=500')}`;
    });
    expect(decodeURIComponent(query.inner[0]?.sent.url ?? '')).toBe(
      'http://edge.example/1.m4s?CMCD=br=1,io.github.dashjs-sammy,rtp=9900',
    );
    // hls.js 1.7 replaces the headers, and 1.6 modifies the object.
    for (const write of [
      (context: LoaderContext) => (context.headers = { ...context.headers, 'CMCD-Status': 'bs,rtp=500' }),
      (context: LoaderContext) => Object.assign(context.headers ?? {}, { 'CMCD-Status': 'bs,rtp=500' }),
    ]) {
      const { sent } = load([], write).inner[0] ?? {};
      expect(sent?.headers).toEqual({ 'CMCD-Status': 'bs,io.github.dashjs-sammy,rtp=9900' });
      expect(sent?.url).toBe('http://edge.example/1.m4s');
    }
  });

  it('does not modify the context of hls.js', () => {
    expect(load().context).toEqual({ url: 'http://edge.example/1.m4s', headers: {} });
  });

  it('repeats a refused request without a pace, as one request for hls.js', () => {
    const { inner, ends, told, stats, loader } = load([true, false]);
    inner[0]?.fail(403);
    expect(told).toEqual([]);
    expect(inner[0]?.isDestroyed).toBe(true);
    expect(inner[1]?.sent.url).toBe('http://edge.example/1.m4s');
    inner[1]?.succeed(500);
    expect(told).toEqual([['success', 500]]);
    expect(ends.map(({ status }) => status)).toEqual([403, 200]);
    // hls.js keeps this object, and counts its own retries in it.
    expect(loader.stats).toBe(stats);
    expect(stats).toMatchObject({ loaded: 500, retry: 2 });
  });

  it('passes on an error if the request is not repeated', () => {
    const { inner, told } = load();
    inner[0]?.fail(503);
    expect(told).toEqual([['error', 503]]);
    expect(inner).toHaveLength(1);
  });

  it('repeats a request without a response, or lets hls.js repeat it', () => {
    const repeated = load([true]);
    repeated.giveUp();
    expect(repeated.ends[0]).toMatchObject({ status: 408, size_bytes: 0 });
    expect([repeated.inner.length, repeated.told]).toEqual([2, []]);
    const passedOn = load();
    passedOn.giveUp();
    expect(passedOn.told).toEqual([['timeout', 0]]);
  });

  it('ends a download once, even if hls.js aborts or destroys its second attempt', () => {
    const aborted = load([true]);
    aborted.inner[0]?.fail(403);
    aborted.loader.abort();
    aborted.loader.destroy();
    expect(aborted.ends.map(({ aborted: was }) => was)).toEqual([false, true]);
    expect(aborted.told).toEqual([['abort', 0]]);
    const destroyed = load();
    destroyed.loader.destroy();
    destroyed.inner[0]?.succeed(100);
    expect(destroyed.ends).toHaveLength(1);
    expect(destroyed.inner[0]?.isDestroyed).toBe(true);
  });
});

import { headersWithRtp, urlWithRtp, type CmcdCarrier } from '../host/cmcd.ts';
import { GIVEN_UP, NO_RESPONSE, type RequestEnd } from '../host/page-session.ts';
import { readHeaders } from '../host/browser/response-headers.ts';
import type {
  HlsConfig,
  Loader,
  LoaderCallbacks,
  LoaderClass,
  LoaderContext,
  LoaderStats,
} from './player.ts';

/** A request that the adapter follows. */
export interface FollowedRequest {
  /** Puts what is asked for into the request. Called whenever the request's URL or headers are read. */
  put(carrier: CmcdCarrier): void;
  /** Called when the request has ended. Returns whether to repeat the request at once without a pace. */
  end(end: RequestEnd): boolean;
}

/** Begins to follow a request; undefined for one that is none of the adapter's. `giveUp` ends it as failed. */
export type Follow = (
  context: LoaderContext,
  stats: () => LoaderStats,
  giveUp: () => void,
) => FollowedRequest | undefined;

/**
 * A loader that asks for paces. It wraps the loader that hls.js would have used, which may be its own, that which adds CMCD to
 * requests, or one of the application.
 */
class SammyLoader implements Loader {
  readonly #makeInner: () => Loader;
  readonly #follow: Follow;
  #loader: Loader;
  /** hls.js keeps the first attempt's object, so retries update the same object. */
  readonly stats: LoaderStats;
  #stop: (() => void) | undefined;

  constructor(makeInner: () => Loader, follow: Follow) {
    this.#makeInner = makeInner;
    this.#follow = follow;
    this.#loader = makeInner();
    this.stats = this.#loader.stats;
  }

  get context(): LoaderContext | null {
    return this.#loader.context;
  }

  getCacheAge(): number | null {
    return this.#loader.getCacheAge?.() ?? null;
  }

  getResponseHeader(name: string): string | null {
    return this.#loader.getResponseHeader?.(name) ?? null;
  }

  abort(): void {
    this.#loader.abort();
  }

  destroy(): void {
    // hls.js destroys most loaders after their end.
    this.#stop?.();
    this.#loader.destroy();
  }

  load(context: LoaderContext, config: object, callbacks: LoaderCallbacks): void {
    const loader = this.#loader;
    const { stats } = loader;
    let isOpen = true;
    /** Ends this attempt. Returns whether to call hls.js back. */
    const end = (how: Omit<RequestEnd, 'size_bytes'>, received_bytes = 0): boolean => {
      if (!isOpen) return false;
      isOpen = false;
      this.#copy(stats);
      // With progressive loading, the response has no data.
      if (!request?.end({ ...how, size_bytes: Math.max(stats.loaded, received_bytes) })) return true;
      loader.destroy();
      this.#loader = this.#makeInner();
      this.load(context, config, callbacks);
      return false;
    };
    this.#stop = () => end({ ...NO_RESPONSE, aborted: true });
    const giveUp = () => {
      if (end(GIVEN_UP)) callbacks.onTimeout(this.stats, context, null);
    };
    const request = this.#follow(context, () => stats, giveUp);
    if (!request) {
      loader.load(context, config, callbacks);
      return;
    }
    const { onProgress } = callbacks;
    loader.load(carryKeys(context, request), config, {
      onSuccess: (response, _, __, details) => {
        const { code: status = 200, data } = response;
        // Some loaders leave it empty.
        const url = response.url === '' ? undefined : response.url;
        const { byteLength } = (data ?? {}) as { readonly byteLength?: number };
        if (end({ status, url, aborted: false, header: readHeaders(details) }, byteLength))
          callbacks.onSuccess(response, this.stats, context, details);
      },
      onError: (error, _, details) => {
        if (end({ ...NO_RESPONSE, status: error.code, header: readHeaders(details) }))
          callbacks.onError(error, context, details, this.stats);
      },
      onTimeout: (_, __, details) => {
        if (end({ ...NO_RESPONSE, header: readHeaders(details) }))
          callbacks.onTimeout(this.stats, context, details);
      },
      onAbort: (_, __, details) => {
        if (end({ ...NO_RESPONSE, aborted: true, header: readHeaders(details) }))
          callbacks.onAbort?.(this.stats, context, details);
      },
      ...(onProgress && {
        onProgress: (_, __, data, details) => {
          this.#copy(stats);
          onProgress(this.stats, context, data, details);
        },
      }),
    });
  }

  /** Shows hls.js the statistics of a later attempt as those of the first. */
  #copy(stats: LoaderStats): void {
    // `retry` is hls.js's own counter.
    if (stats !== this.stats) Object.assign(this.stats, { ...stats, retry: this.stats.retry });
  }
}

/** Makes the class of loaders that hls.js is given, around those that `makeInner` makes. */
export const makeLoaderClass = (makeInner: (config: HlsConfig) => Loader, follow: Follow): LoaderClass =>
  class extends SammyLoader {
    constructor(config: HlsConfig) {
      super(() => makeInner(config), follow);
    }
  };

/**
 * Returns a copy of a request's context. `request` puts its keys into the copy whenever its URL or headers are read, because the
 * inner loader of hls.js adds CMCD with another `rtp` later.
 */
function carryKeys(context: LoaderContext, request: FollowedRequest): LoaderContext {
  let { url, headers = {} } = context;
  const read = (): CmcdCarrier => {
    // hls.js derives the values that it writes from those that it reads, so they may contain the keys already.
    const carrier: CmcdCarrier = { url: urlWithRtp(url, []), headers: headersWithRtp(headers, []) };
    request.put(carrier);
    return carrier;
  };
  return Object.defineProperties(
    { ...context },
    {
      url: {
        get: () => read().url,
        set(value: string) {
          url = value;
        },
      },
      headers: {
        get() {
          const { headers: next = {} } = read();
          // hls.js 1.6 adds its CMCD to the object.
          for (const name of Object.keys(headers)) Reflect.deleteProperty(headers, name);
          return Object.assign(headers, next);
        },
        set(value: Record<string, string> = {}) {
          headers = value;
        },
      },
    },
  );
}

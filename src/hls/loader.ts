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

/**
 * Begins to follow a request. Returns undefined for requests that the adapter ignores. `giveUp` ends the request as
 * failed.
 */
export type Follow = (
  context: LoaderContext,
  stats: () => LoaderStats,
  giveUp: () => void,
) => FollowedRequest | undefined;

/** A request that the adapter follows. */
export interface FollowedRequest {
  /** Adds the CMCD keys to the request. Called whenever the request's URL or headers are read. */
  put(carrier: CmcdCarrier): void;
  /** Called when the request has ended. Returns whether to repeat the request at once without a pace. */
  end(end: RequestEnd): boolean;
}

/**
 * A loader that requests paces. It wraps the loader that hls.js would use otherwise: its default loader, its CMCD
 * loader, or the application's.
 */
class SammyLoader implements Loader {
  readonly #makeInner: () => Loader;
  readonly #follow: Follow;
  #loader: Loader;
  /** One object for all attempts, because hls.js keeps the first attempt's statistics object. */
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
    // hls.js destroys most loaders after their request has ended. `#stop` then does nothing.
    this.#stop?.();
    this.#loader.destroy();
  }

  load(...[context, config, callbacks]: Parameters<Loader['load']>): void {
    const loader = this.#loader;
    let isOpen = true;
    /** Ends this attempt, and calls hls.js's callback if the request is not repeated. */
    const end = (how: Partial<RequestEnd>, details?: unknown, callback?: () => void): void => {
      if (!isOpen) return;
      isOpen = false;
      this.#copyStats();
      const { loaded: size_bytes } = loader.stats;
      const isRepeated = request?.end({ ...NO_RESPONSE, size_bytes, header: readHeaders(details), ...how });
      if (!isRepeated) {
        callback?.();
        return;
      }
      loader.destroy();
      this.#loader = this.#makeInner();
      this.load(context, config, callbacks);
    };
    this.#stop = () => end({ aborted: true });
    const giveUp = () => end(GIVEN_UP, null, () => callbacks.onTimeout(this.stats, context, null));
    const request = this.#follow(context, () => loader.stats, giveUp);
    if (!request) {
      loader.load(context, config, callbacks);
      return;
    }
    const { onProgress } = callbacks;
    loader.load(carryKeys(context, request), config, {
      onSuccess: (response, _, __, details) => {
        const { code: status = 200, data } = response;
        // With progressive loading, the response has no data.
        const size_bytes = Math.max(
          loader.stats.loaded,
          (data as Partial<ArrayBuffer> | undefined)?.byteLength ?? 0,
        );
        // Some loaders set an empty URL.
        end({ status, url: response.url || undefined, size_bytes }, details, () =>
          callbacks.onSuccess(response, this.stats, context, details),
        );
      },
      onError: (error, _, details) =>
        end({ status: error.code }, details, () => callbacks.onError(error, context, details, this.stats)),
      onTimeout: (_, __, details) =>
        end({}, details, () => callbacks.onTimeout(this.stats, context, details)),
      onAbort: (_, __, details) =>
        end({ aborted: true }, details, () => callbacks.onAbort?.(this.stats, context, details)),
      ...(onProgress && {
        onProgress: (_, __, data, details) => {
          this.#copyStats();
          onProgress(this.stats, context, data, details);
        },
      }),
    } satisfies LoaderCallbacks);
  }

  /** Copies the statistics of a later attempt into hls.js's own object. `retry` is hls.js's own counter. */
  #copyStats(): void {
    Object.assign(this.stats, this.#loader.stats, { retry: this.stats.retry });
  }
}

/** Creates the loader class for hls.js. Its instances wrap the loaders that `makeInner` creates. */
export const makeLoaderClass = (makeInner: (config: HlsConfig) => Loader, follow: Follow): LoaderClass =>
  class extends SammyLoader {
    constructor(config: HlsConfig) {
      super(() => makeInner(config), follow);
    }
  };

/**
 * Returns a copy of a request's context. The keys of `request` are added whenever the copy's URL or headers are read,
 * because hls.js's CMCD loader adds another `rtp` later.
 */
function carryKeys(context: LoaderContext, request: FollowedRequest): LoaderContext {
  let { url, headers = {} } = context;
  const read = (): CmcdCarrier => {
    // hls.js derives the values that it writes from the values that it reads, so the keys may already be present.
    const carrier: CmcdCarrier = { url: urlWithRtp(url, []), headers: headersWithRtp(headers, []) };
    request.put(carrier);
    return carrier;
  };
  return {
    ...context,
    get url() {
      return read().url;
    },
    set url(value) {
      url = value;
    },
    get headers() {
      const { headers: next = {} } = read();
      // Modify the existing object, because hls.js 1.6 adds its CMCD to this object.
      for (const name of Object.keys(headers)) Reflect.deleteProperty(headers, name);
      return Object.assign(headers, next);
    },
    set headers(value) {
      headers = value;
    },
  };
}

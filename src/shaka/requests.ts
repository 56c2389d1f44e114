import { GIVEN_UP, NO_RESPONSE, type RequestEnd } from '../host/page-session.ts';
import {
  MANIFEST,
  OPERATION_ABORTED,
  SEGMENT,
  type Completed,
  type Failed,
  type Headers,
  type HeadersReceived,
  type RequestFilter,
  type ResponseFilter,
  type RetryParameters,
  type ShakaPlayer,
  type ShakaRequest,
} from './player.ts';
import type { MediaRequest, ShakaAttachment } from './session.ts';
import type { Takeover } from './takeover.ts';

const readHeader =
  (headers: Headers = {}) =>
  (name: string): string | undefined =>
    headers[name.toLowerCase()];

/** Asks for the pace of each segment, and tells the session how its requests end. */
export class Requests {
  readonly #player: ShakaPlayer;
  readonly #attachment: ShakaAttachment;
  readonly #takeover: Takeover;
  /** The application's timeouts of requests that have asked for a pace. */
  readonly #timeouts = new WeakMap<ShakaRequest, Partial<RetryParameters>>();
  /** Requests whose response has no media. */
  readonly #voids = new WeakSet<ShakaRequest>();
  /** A preload manager copies the filters when it is created. */
  #isStopped = false;

  constructor(player: ShakaPlayer, attachment: ShakaAttachment, takeover: Takeover) {
    this.#player = player;
    this.#attachment = attachment;
    this.#takeover = takeover;
  }

  get #session() {
    return this.#attachment.currentSession;
  }

  /** Registers the filters. Called again in case other code has cleared all filters. */
  register(): void {
    const engine = this.#player.getNetworkingEngine();
    engine?.registerRequestFilter(this.#requestFilter);
    engine?.registerResponseFilter(this.#responseFilter);
  }

  unregister(): void {
    this.#isStopped = true;
    const engine = this.#player.getNetworkingEngine();
    engine?.unregisterRequestFilter(this.#requestFilter);
    engine?.unregisterResponseFilter(this.#responseFilter);
  }

  /** The listeners to Shaka's events. */
  readonly listeners = {
    downloadheadersreceived: ({ request, headers }: HeadersReceived) => {
      const media = this.#session.inFlight.get(request);
      if (!media) return;
      media.first = performance.now();
      media.total = Number(headers['content-length'] ?? 0);
    },
    downloadcompleted: ({ requestType, request, response }: Completed) => {
      const { status = 200, uri: url, headers, data } = response;
      const end = {
        ...{ status, url, aborted: false },
        ...{ size_bytes: data.byteLength, header: readHeader(headers) },
      };
      this.#end(request, end);
      if (requestType !== MANIFEST) return;
      this.#attachment.guarded(() => this.#session.requestEnded({ mediaType: 'playlist', url }, end));
    },
    downloadfailed: ({ request, error, httpResponseCode: status, aborted: isSilent }: Failed) => {
      this.#end(request, {
        ...(isSilent ? GIVEN_UP : { ...NO_RESPONSE, status }),
        size_bytes: this.#session.inFlight.get(request)?.loaded ?? 0,
        aborted: !isSilent && error?.code === OPERATION_ABORTED,
        header: readHeader(error?.data[3] as Headers | undefined),
      });
    },
  };

  /** Shaka has added its CMCD before it calls filters. */
  readonly #requestFilter: RequestFilter = (type, request, { stream, segment, isPreload } = {}) => {
    const { uris, attempt: attempts, retryParameters } = request;
    const index = attempts % uris.length;
    const url = uris[index];
    const mediaType = stream?.type;
    if (this.#isStopped || type !== SEGMENT || !stream || isPreload || url === undefined) return;
    if (mediaType !== 'video' && mediaType !== 'audio') return;
    this.#attachment.guarded(() => {
      this.#restoreTimeouts(request);
      const media: MediaRequest = {
        ...{ mediaType, url, stream, segment, retryParameters },
        ...{ isLast: attempts + 1 >= retryParameters.maxAttempts, loaded: 0, total: 0, first: 0 },
      };
      const { put } = this.#session.requesting(media, {
        receivedBytes: () => media.loaded || (media.first > 0 ? NaN : 0),
        // Shaka gives the request up, after the timeouts that the session has set.
        giveUp: () => undefined,
        check: () => this.#check(media),
      });
      this.#session.inFlight.set(request, media);
      const carrier = { url, headers: request.headers };
      put(carrier);
      media.url = uris[index] = carrier.url;
      request.headers = carrier.headers;
    });
  };

  /** Restores the timeouts that an earlier attempt shortened. */
  #restoreTimeouts(request: ShakaRequest): void {
    const { retryParameters } = request;
    const { connectionTimeout, stallTimeout } = retryParameters;
    const given = this.#timeouts.get(request) ?? { connectionTimeout, stallTimeout };
    Object.assign(retryParameters, given);
    this.#timeouts.set(request, given);
  }

  #check(media: MediaRequest): void {
    const variant = this.#session.chooseReplacement(media);
    if (variant) this.#takeover.replace(variant);
  }

  /** Requests a segment again whose response has no media. */
  readonly #responseFilter: ResponseFilter = (type, response, context) => {
    const { originalRequest } = response;
    if (!this.#voids.has(originalRequest)) return undefined;
    this.#restoreTimeouts(originalRequest);
    const { uris, ...rest } = originalRequest;
    return this.#player
      .getNetworkingEngine()
      ?.request(type, { ...rest, uris: [...uris] }, context)
      .promise.then(({ data, headers }) => {
        Object.assign(response, { data, headers });
      });
  };

  #end(request: ShakaRequest, end: RequestEnd): void {
    const media = this.#session.inFlight.get(request);
    if (!media) return;
    this.#session.inFlight.delete(request);
    this.#takeover.downloadEnded();
    this.#attachment.guarded(() => {
      if (this.#session.requestEnded(media, end).isVoid) this.#voids.add(request);
    });
  }
}

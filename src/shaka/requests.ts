import { isPaceable } from '../host/media-types.ts';
import { GIVEN_UP, NO_RESPONSE, type RequestCmcd, type RequestEnd } from '../host/page-session.ts';
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
  type ShakaPlayer,
  type ShakaRequest,
  type ShakaResponse,
} from './player.ts';
import type { InFlight, MediaRequest, ShakaAttachment } from './session.ts';
import type { Takeover } from './takeover.ts';

const readHeader =
  (headers: Headers = {}) =>
  (name: string): string | undefined =>
    headers[name.toLowerCase()];

/** Adds the pace to each segment's request, and reports the ends of requests to the session. */
export class Requests {
  readonly #player: ShakaPlayer;
  readonly #attachment: ShakaAttachment;
  readonly #takeover: Takeover;
  readonly #inFlight: InFlight;
  /** Requests whose response has no media. */
  readonly #withoutMedia = new WeakSet<ShakaRequest>();
  /**
   * For each preload request: a function that removes the pace before the request is repeated. Shaka does not report
   * the ends of these requests.
   */
  readonly #restorePreload = new WeakMap<ShakaRequest, () => void>();
  /** Whether the filters do nothing any more. Needed because a preload manager keeps copies of the filters. */
  #isStopped = false;

  constructor(player: ShakaPlayer, attachment: ShakaAttachment, takeover: Takeover, inFlight: InFlight) {
    this.#player = player;
    this.#attachment = attachment;
    this.#takeover = takeover;
    this.#inFlight = inFlight;
  }

  get #session() {
    return this.#attachment.currentSession;
  }

  /** Registers the filters. Called for each source, in case other code has cleared all filters. */
  register(): void {
    const engine = this.#player.getNetworkingEngine();
    engine?.registerRequestFilter(this.#requestFilter);
    engine?.registerResponseFilter(this.#responseFilter);
  }

  unregister(): void {
    this.#isStopped = true;
    // Restore the original URL and headers of requests in flight, because Shaka may repeat these requests.
    for (const { restore } of this.#inFlight.values()) restore();
    const engine = this.#player.getNetworkingEngine();
    engine?.unregisterRequestFilter(this.#requestFilter);
    engine?.unregisterResponseFilter(this.#responseFilter);
  }

  /** The listeners to Shaka's events. */
  readonly listeners = {
    downloadheadersreceived: ({ request, headers }: HeadersReceived) => {
      const { media } = this.#inFlight.get(request) ?? {};
      if (!media) return;
      media.first = performance.now();
      media.total = Number(headers['content-length'] ?? 0);
    },
    downloadcompleted: ({ requestType, request, response }: Completed) => {
      const { status = 200, uri: url, headers, data } = response;
      const end = { status, url, aborted: false, size_bytes: data.byteLength, header: readHeader(headers) };
      this.#end(request, end);
      if (requestType !== MANIFEST) return;
      this.#attachment.guarded(() => this.#session.requestEnded({ mediaType: 'playlist', url }, end));
    },
    downloadfailed: ({ request, error, httpResponseCode: status, aborted: isSilent }: Failed) => {
      this.#end(request, {
        ...(isSilent ? GIVEN_UP : { ...NO_RESPONSE, status }),
        size_bytes: this.#inFlight.get(request)?.media.loaded ?? 0,
        aborted: !isSilent && error?.code === OPERATION_ABORTED,
        header: readHeader(error?.data[3] as Headers | undefined),
      });
    },
  };

  /** Adds the pace. Shaka adds its own CMCD before it calls filters. */
  readonly #requestFilter: RequestFilter = (type, request, { stream, segment, isPreload } = {}) => {
    this.#restorePreload.get(request)?.();
    const { uris, headers, attempt, retryParameters } = request;
    // After a failed attempt, the next of the alternative URLs is used.
    const index = attempt % uris.length;
    const url = uris[index];
    const mediaType = stream?.type;
    if (
      this.#isStopped ||
      (type as number) !== SEGMENT ||
      url === undefined ||
      !mediaType ||
      !isPaceable(mediaType)
    )
      return;
    const send = ({ put }: RequestCmcd) => {
      const carrier = { url, headers };
      put(carrier);
      request.headers = carrier.headers;
      return (uris[index] = carrier.url);
    };
    const { connectionTimeout, stallTimeout } = retryParameters;
    const restore = () => {
      uris[index] = url;
      request.headers = headers;
      Object.assign(retryParameters, { connectionTimeout, stallTimeout });
    };
    this.#attachment.guarded(() => {
      const session = this.#session;
      if (isPreload) {
        this.#restorePreload.set(request, restore);
        // An initialization segment or an index is small.
        send(session.addPreload(url, stream, attempt > 0 || !segment));
        return;
      }
      const media: MediaRequest = {
        ...{ mediaType, url, stream, segment, retryParameters },
        ...{ isLastAttempt: attempt + 1 >= retryParameters.maxAttempts, loaded: 0, total: 0, first: NaN },
      };
      this.#inFlight.set(request, { media, session, restore });
      const cmcd = session.requesting(media, {
        receivedBytes: () => media.loaded || (media.first > 0 ? NaN : 0),
        // Empty, because Shaka itself cancels the request after the timeouts that the session has set.
        giveUp: () => undefined,
        check: () => {
          const variant = session.chooseReplacement(media);
          if (variant) this.#takeover.replace(request, variant);
        },
      });
      media.url = send(cmcd);
    });
  };

  #end(request: ShakaRequest, end: RequestEnd): void {
    const attempt = this.#inFlight.get(request);
    if (!attempt) return;
    this.#inFlight.delete(request);
    attempt.restore();
    this.#takeover.requestEnded(request);
    this.#attachment.guarded(() => {
      if (!attempt.session.requestEnded(attempt.media, end).isVoid) return;
      this.#withoutMedia.add(request);
      // Register the filter again, so that it is the last: later filters would process the repeated response twice.
      const engine = this.#player.getNetworkingEngine();
      engine?.unregisterResponseFilter(this.#responseFilter);
      engine?.registerResponseFilter(this.#responseFilter);
    });
  }

  /** Repeats the request for a segment if the response has no media. */
  readonly #responseFilter: ResponseFilter = (type, response, context) => {
    const { originalRequest } = response;
    if (!this.#withoutMedia.has(originalRequest)) return undefined;
    return this.#player
      .getNetworkingEngine()
      ?.request(type, { ...originalRequest }, context)
      .promise.then(({ data, headers }: ShakaResponse) => {
        Object.assign(response, { data, headers });
      });
  };
}

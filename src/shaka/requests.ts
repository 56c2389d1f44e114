import { attempt } from '../attempt.ts';
import { GIVEN_UP, NO_RESPONSE } from '../host/page-session.ts';
import {
  MANIFEST,
  OPERATION_ABORTED,
  SEGMENT,
  type AbrManager,
  type Completed,
  type Failed,
  type Headers,
  type RequestContext,
  type RetryParameters,
  type ShakaPlayer,
  type ShakaRequest,
  type ShakaResponse,
} from './player.ts';
import type { MediaRequest, ShakaAttachment } from './session.ts';
import type { Takeover } from './takeover.ts';

/** Follows Shaka's requests for media. */
export interface Requests {
  readonly listeners: Readonly<Record<string, (event: never) => void>>;
  readonly segmentDownloaded: AbrManager['segmentDownloaded'];
  stop(): void;
}

type Timeouts = Pick<RetryParameters, 'connectionTimeout' | 'stallTimeout'>;

const readHeader =
  (headers: Headers = {}) =>
  (name: string): string | undefined =>
    headers[name.toLowerCase()];

/** Asks for the pace of each segment, and tells the session how its requests end. */
export function followRequests(
  player: ShakaPlayer,
  attachment: ShakaAttachment,
  takeover: () => Takeover,
): Requests {
  const inFlight = new WeakMap<ShakaRequest, MediaRequest>();
  const timeouts = new WeakMap<ShakaRequest, Timeouts>();
  const voids = new WeakSet<ShakaRequest>();
  let isStopped = false;

  const ask = (request: ShakaRequest, media: MediaRequest) => {
    const { retryParameters } = request;
    const { connectionTimeout, stallTimeout } = retryParameters;
    // An earlier attempt with a pace has shortened them.
    Object.assign(retryParameters, timeouts.get(request));
    timeouts.set(request, timeouts.get(request) ?? { connectionTimeout, stallTimeout });
    const { put } = attachment.currentSession.requesting(media, {
      receivedBytes: () => media.loaded || (media.first > 0 ? NaN : 0),
      // Shaka gives the request up, after the waits that the session has set.
      giveUp: () => undefined,
      check() {
        const variant = attachment.currentSession.chooseReplacement(media);
        if (variant) takeover().replace(variant);
      },
    });
    inFlight.set(request, media);
    const carrier = { url: media.url, headers: request.headers };
    put(carrier);
    media.url = carrier.url;
    request.headers = carrier.headers;
  };

  const requestFilter = (type: number, request: ShakaRequest, context: RequestContext = {}) => {
    const { stream, segment, isPreload } = context;
    const { uris, attempt: attempts, retryParameters } = request;
    const index = attempts % uris.length;
    const url = uris[index];
    const mediaType = stream?.type;
    if (isStopped || type !== SEGMENT || !stream || isPreload || url === undefined) return;
    if (mediaType !== 'video' && mediaType !== 'audio') return;
    attachment.guarded(() => {
      const media: MediaRequest = {
        ...{ mediaType, url, stream, segment, retryParameters },
        ...{ isLast: attempts + 1 >= retryParameters.maxAttempts, loaded: 0, total: 0, first: 0 },
      };
      ask(request, media);
      uris[index] = media.url;
    });
  };

  /** Requests a segment again whose response has no media. */
  const responseFilter = (type: number, response: ShakaResponse, context?: RequestContext) => {
    const { originalRequest } = response;
    if (!voids.has(originalRequest)) return undefined;
    const { uris, ...rest } = originalRequest;
    return player
      .getNetworkingEngine()
      ?.request(type, { ...rest, uris: [...uris] }, context)
      .promise.then(({ data, headers }) => {
        Object.assign(response, { data, headers });
      });
  };

  const engine = player.getNetworkingEngine();
  engine?.registerRequestFilter(requestFilter);
  engine?.registerResponseFilter(responseFilter);
  const end = (request: ShakaRequest, how: Parameters<typeof attachment.currentSession.requestEnded>[1]) => {
    const media = inFlight.get(request);
    if (!media) return;
    inFlight.delete(request);
    takeover().downloadEnded();
    attachment.guarded(() => {
      if (attachment.currentSession.requestEnded(media, how).isVoid) voids.add(request);
    });
  };
  return {
    listeners: {
      downloadheadersreceived({
        request,
        headers,
      }: {
        readonly request: ShakaRequest;
        readonly headers: Headers;
      }) {
        const media = inFlight.get(request);
        if (!media) return;
        media.first = performance.now();
        media.total = Number(headers['content-length'] ?? 0);
      },
      downloadcompleted({ requestType, request, response }: Completed) {
        const { status = 200, uri: url, headers, data } = response;
        const header = readHeader(headers);
        const how = { status, url, aborted: false, header, size_bytes: data.byteLength };
        end(request, how);
        if (requestType === MANIFEST)
          attachment.guarded(() =>
            attachment.currentSession.requestEnded({ mediaType: 'playlist', url }, how),
          );
      },
      downloadfailed({ request, error, httpResponseCode: status, aborted: isSilent }: Failed) {
        const size_bytes = inFlight.get(request)?.loaded ?? 0;
        end(request, {
          ...(isSilent ? GIVEN_UP : { ...NO_RESPONSE, status }),
          size_bytes,
          aborted: !isSilent && error?.code === OPERATION_ABORTED,
          header: readHeader(error?.data[3] as Headers | undefined),
        });
      },
    },
    segmentDownloaded(_, size_bytes, __, request) {
      const media = request && inFlight.get(request);
      if (media) media.loaded += size_bytes;
    },
    stop() {
      isStopped = true;
      attempt(() => engine?.unregisterRequestFilter(requestFilter));
      attempt(() => engine?.unregisterResponseFilter(responseFilter));
    },
  };
}

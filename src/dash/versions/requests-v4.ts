import { readHeaders } from '../../host/browser/response-headers.ts';
import { headersWithRtp, urlWithRtp, withRtp } from '../../host/cmcd.ts';
import { getOrigin } from '../../host/origin.ts';
import type { RequestCmcd, RequestEnd } from '../../host/page-session.ts';
import {
  isMediaRequest,
  totalTime,
  type FragmentRequest,
  type MediaRequest,
  type Traces,
} from '../player.ts';
import type { DashAttachment } from '../session.ts';
import type { Ladder } from '../../film/ladder.ts';
import type { RtpSetting } from './rtp-setting.ts';

export interface FragmentRequestV4 extends FragmentRequest {
  /** Includes the CMCD after the request has been sent. A retry uses this URL. */
  url: string;
  readonly quality: number;
  readonly representationId: string | null;
  /** Query parameters that dash.js adds to the URL after its CMCD. They replace parameters with the same name. */
  queryParams?: Readonly<Record<string, string>> | null;
}

/** Fired when dash.js has created the CMCD of a request, before it adds the CMCD to the request. */
interface CmcdGenerated {
  /** URL of the request before the CMCD is added. */
  readonly url: string;
  readonly mediaType: string;
  /** The CMCD in query mode. */
  readonly cmcdString?: string | null;
  /** The CMCD headers in header mode. dash.js reads this object after the event. */
  readonly headers?: Record<string, string>;
}

/** A request at its creation. A `RequestModifier` of the application may change its URL later. */
interface CreatedRequest {
  cmcd: RequestCmcd | undefined;
  readonly origin: string;
  /** Time of the request, ms of the page's clock. */
  readonly since: number;
}

/** dash.js's event for a request that has ended. */
export interface LoadingEnd {
  readonly request?: FragmentRequestV4;
  readonly response?: ArrayBuffer | null;
  /** The loader of the request. */
  sender?: { load(request: FragmentRequestV4): void } | undefined;
  readonly error?: unknown;
}

/** dash.js's metric for one attempt of a request. */
interface HttpMetric {
  readonly url?: string;
  /** The URL after redirects. */
  readonly actualurl?: string | null;
  readonly trequest?: Date;
  /** 0 for a network error; null for a redirect. */
  readonly responsecode?: number | null;
  readonly trace?: Traces;
  readonly _responseHeaders?: string;
}

/** Whether an attempt failed. Only failed attempts have no trace. */
const isFailure = ({ trace, responsecode }: HttpMetric): boolean =>
  !trace && typeof responsecode === 'number';

interface MetricEvent {
  readonly mediaType: string;
  readonly metric: string;
  readonly value?: HttpMetric;
}

/** The id of a representation or, if the manifest has none, its index in dash.js's list. */
export const rungId = (index: number, id: string | null | undefined): string => id ?? String(index);

/** The HTTP status of an error; 0 without a response or for an incomplete response. */
const errorStatus = ({ responsecode }: HttpMetric = {}): number =>
  responsecode && responsecode >= 400 ? responsecode : 0;

/** Collects the data about a response; `metric` is dash.js's metric for the last attempt. */
const readResponse = (
  { bytesLoaded }: FragmentRequestV4,
  { response, error }: LoadingEnd,
  metric: HttpMetric | undefined,
  since: number | undefined,
  aborted: boolean,
): RequestEnd => ({
  status: aborted || error ? errorStatus(metric) : 200,
  url: aborted || error ? undefined : metric?.actualurl,
  // Without a Content-Length, dash.js counts no bytes. With fetch, `response` is only the remainder.
  size_bytes: Math.max(response?.byteLength ?? 0, bytesLoaded || 0),
  aborted,
  since: retriedAt(metric?.trequest, since),
  receiving_ms: totalTime(metric?.trace),
  header: readHeaders({ getAllResponseHeaders: () => metric?._responseHeaders ?? '' }),
});

/**
 * An attempt that began at least this many ms after the request is a retry. dash.js waits at least 500 ms before a
 * retry, and reports times in whole milliseconds.
 */
const RETRIED_MS = 100;

/**
 * Returns the start of an attempt, ms of the page's clock, if the attempt was a retry. `began` is the attempt's
 * calendar time, and `since` is the time of the request.
 */
function retriedAt(began: Date | undefined, since: number | undefined): number | undefined {
  if (began === undefined || since === undefined) return undefined;
  const attemptedAt = performance.now() - (Date.now() - began.getTime());
  return attemptedAt - since > RETRIED_MS ? attemptedAt : undefined;
}

/** Whether to end a request after a failed attempt, because dash.js would repeat the request with `rtp`. */
function shouldEndRequest(
  attachment: DashAttachment,
  made: CreatedRequest | undefined,
  { responsecode }: HttpMetric,
): boolean {
  if (!made?.cmcd?.pace) return false;
  const consent = attachment.currentSession.core.getConsent(made.origin);
  return consent.shouldRetryWithoutRtp || !consent.excuseTemporaryFailure(responsecode ?? 0);
}

/** Finds the ladder of a request among those that dash.js has reported. */
interface Ladders {
  ladderFor(request: FragmentRequestV4): Ladder | undefined;
}

/** Handles the start, the failures and the end of requests. */
export function followRequests(attachment: DashAttachment, known: Ladders, rtp: RtpSetting) {
  /** The state of requests at their creation, and the latest request of each media type. */
  const made = new WeakMap<FragmentRequestV4, CreatedRequest>();
  const latest = new Map<string, MediaRequest & FragmentRequestV4>();
  const onStarted = ({ request }: { request: FragmentRequestV4 }) => {
    const { currentSession: session } = attachment;
    session.requesting(request);
    if (!isMediaRequest(request)) return;
    const { url, quality, representationId } = request;
    const cmcd = attachment.guarded(() =>
      session.requested(request, known.ladderFor(request), {
        id: rungId(quality, representationId),
        bandwidth: NaN,
      }),
    );
    rtp.set(session.core.options.pacing ? cmcd?.pace : undefined, url);
    made.set(request, { cmcd, origin: getOrigin(url), since: performance.now() });
    latest.set(request.mediaType, request);
  };

  /** Adds the plug-in's custom keys to a request, because dash.js sends only standard keys. */
  const onCmcd = ({ url, mediaType, cmcdString, headers }: CmcdGenerated) => {
    const request = latest.get(mediaType);
    const { keys = [], estimate } = (request && made.get(request)?.cmcd) ?? {};
    if (request?.url !== url || keys.length === 0) return;
    if (headers) Object.assign(headers, headersWithRtp(headers, keys, estimate));
    else request.queryParams = { ...request.queryParams, CMCD: withRtp(cmcdString ?? '', keys, estimate) };
  };

  const learn = (request: FragmentRequestV4, end: LoadingEnd, metric?: HttpMetric, aborted = false) =>
    attachment.currentSession.responded(
      request,
      readResponse(request, end, metric, made.get(request)?.since, aborted),
    );

  /** Removes `rtp` from a request that dash.js will repeat with the same URL and the current settings. */
  const withoutRtp = (request: FragmentRequestV4) => {
    request.url = urlWithRtp(request.url, []);
    request.queryParams = { ...request.queryParams, CMCD: '' };
    const creation = made.get(request);
    if (creation) creation.cmcd = attachment.currentSession.addRequest(request);
    rtp.set(null);
  };

  /**
   * The metric of the latest attempt. In 4.7, only this metric has the response's headers and the start time of the
   * last attempt. dash.js fires it before the event that ends the request, with the same URL.
   */
  let last: HttpMetric | undefined;
  const onMetric = ({ mediaType, metric, value }: MetricEvent) => {
    if (metric !== 'HttpList') return;
    last = value;
    const request = latest.get(mediaType);
    if (request && value?.url === request.url && isFailure(value)) onFailedAttempt(request, value);
  };
  const onFailedAttempt = (request: MediaRequest & FragmentRequestV4, metric: HttpMetric) => {
    attachment.guarded(() => {
      if (!shouldEndRequest(attachment, made.get(request), metric)) return;
      learn(request, { error: true }, metric);
      withoutRtp(request);
    });
  };

  const onEnded = (aborted: boolean) => (end: LoadingEnd) => {
    const { request } = end;
    if (!request) return;
    if (isMediaRequest(request)) rtp.sent(request.url);
    const metric = last?.url === request.url ? last : undefined;
    attachment.guarded(() => {
      if (!learn(request, end, metric, aborted) || aborted || end.error) return;
      // Without a `sender`, dash.js ignores this response and keeps waiting for the request, which is then sent again.
      const { sender } = end;
      end.sender = undefined;
      withoutRtp(request);
      setTimeout(() => sender?.load(request));
    });
  };

  return { onStarted, onCmcd, onMetric, onEnded };
}

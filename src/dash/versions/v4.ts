import { makeLadder, type Ladder } from '../../film/ladder.ts';
import type { Kbps } from '../../units.ts';
import { roundUpToRtp } from '../../wire/rtp.ts';
import { headersWithRtp, urlWithRtp, withRtp } from '../../host/cmcd.ts';
import { readHeaders } from '../../host/browser/response-headers.ts';
import type { RequestCmcd, RequestEnd } from '../../host/page-session.ts';
import { getOrigin } from '../../host/origin.ts';
import { attempt } from '../../attempt.ts';
import {
  isMediaRequest,
  totalTime,
  type DashPlayer,
  type FragmentRequest,
  type MediaRequest,
  type Traces,
} from '../player.ts';
import type { DashAttachment } from '../session.ts';
import type { Installation } from '../../host/attachment.ts';
import { listenToPlayback } from '../playback-events.ts';
import type { Adapter } from './adapter.ts';
import { addRules, type Dialect, type RulesContext } from './rules.ts';
import { isQualityFixed, readSetting, writeSetting } from '../settings.ts';
import { takeover } from '../takeover.ts';

/**
 * dash.js 4.7 has no interceptors. Its CMCD takes `rtp` from the settings when a request is created, just after it has fired
 * `fragmentLoadingStarted` synchronously. A listener that sets `rtp` therefore sets it for that request.
 */
interface DashPlayerV4 extends DashPlayer {
  on(
    type: string,
    listener: (event: never) => void,
    scope?: object,
    options?: { readonly priority: number },
  ): void;
  attachSource(source: string | object, startTime?: number): void;
  attachView(view: HTMLVideoElement): void;
  getBitrateInfoListFor(type: string): { readonly bitrate: number; readonly qualityIndex: number }[];
}

interface FragmentRequestV4 extends FragmentRequest {
  /** Includes the CMCD once the request has been sent. A retry uses this URL. */
  url: string;
  readonly quality: number;
  readonly representationId: string | null;
  /** Query parameters that dash.js adds to the URL after those of its CMCD, and that replace any of the same name. */
  queryParams?: Readonly<Record<string, string>> | null;
}

/** Fired whenever dash.js has made the CMCD of a request, before it adds the CMCD to the request. */
interface CmcdGenerated {
  /** URL of the request as of then. */
  readonly url: string;
  readonly mediaType: string;
  /** With query mode. */
  readonly cmcdString?: string | null;
  /** With header mode: the object that dash.js is about to read the headers from. */
  readonly headers?: Record<string, string>;
}

interface Cmcd {
  readonly enabled: boolean;
  readonly mode: 'query' | 'header';
  readonly enabledKeys: readonly string[];
  readonly rtp: number | null;
}

/** A request at its creation. A `RequestModifier` of the application may change its URL later. */
interface CreatedRequest {
  cmcd: RequestCmcd | undefined;
  readonly origin: string;
  /** Time of the request, ms of the page's clock. */
  readonly since: number;
}

/** dash.js's event for a request that has ended. */
interface LoadingEnd {
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

/** dash.js's event before it processes a loaded response, and the priority that calls a listener first. */
const LOADED = 'loadingCompleted';
const FIRST_PRIORITY = { priority: 5000 };

/** Only failures have no trace. */
const isFailure = ({ trace, responsecode }: HttpMetric): boolean =>
  !trace && typeof responsecode === 'number';

interface MetricEvent {
  readonly mediaType: string;
  readonly metric: string;
  readonly value?: HttpMetric;
}

interface RulesContextV4 extends RulesContext {
  getMediaInfo(): {
    readonly type: string;
    readonly streamInfo: { readonly id: string };
    readonly bitrateList?: readonly { readonly bandwidth: number; readonly id?: string | null }[];
  };
  getCurrentRequest(): FragmentRequestV4;
  getAbrController(): {
    getMaxAllowedIndexFor(type: string, streamId: string): number | undefined;
    getMinAllowedIndexFor(type: string, streamId: string): number | undefined;
  };
}

/** Above the built-in rules (`SwitchRequest.PRIORITY.STRONG`), because 4.7 cannot switch them off while playing. */
const PRIORITY = 1;

/** The id of a representation or, if the manifest has none, its index in dash.js's list. */
const rungId = (index: number, id: string | null | undefined): string => id ?? String(index);

export const V4: Adapter = {
  versions: /^v?4\.([7-9]|\d\d)/,
  restartsPlayback: true,
  install: (player, attachment) => installV4(player as DashPlayerV4, attachment),
};

/** Keeps the ladders that dash.js reported when it last called Sammy's rule. */
function readLadders(player: DashPlayerV4) {
  /** The ladder of the last choice, by media type. */
  const ladders = new Map<string, Ladder>();

  const dialect: Dialect<RulesContextV4> = {
    noChange: { quality: -1, reason: null, priority: PRIORITY },
    /** Returns the rungs within dash.js's minimum and maximum bitrate, and converts a rung to an index of its list. */
    readRungs(context) {
      const { type, streamInfo, bitrateList = [] } = context.getMediaInfo();
      const abr = context.getAbrController();
      const lowest = abr.getMinAllowedIndexFor(type, streamInfo.id) ?? 0;
      const highest = abr.getMaxAllowedIndexFor(type, streamInfo.id) ?? bitrateList.length - 1;
      const allowed = bitrateList
        .map(({ bandwidth, id }, index) => ({ id: rungId(index, id), bandwidth, index }))
        .filter(({ index }) => index >= lowest && index <= highest);
      const ladder = makeLadder(allowed);
      if (ladder) ladders.set(type, ladder);
      return {
        ladder,
        switchTo: ({ id }) => ({ quality: allowed.find((rung) => rung.id === id)?.index ?? -1 }),
      };
    },
  };

  return {
    dialect,
    /**
     * The available rungs: a single one if the viewer has fixed the quality, and all rungs of the manifest before a rule has
     * run.
     */
    ladderFor({ mediaType, quality, representationId }: FragmentRequestV4): Ladder | undefined {
      const fixed = isQualityFixed(player, mediaType);
      const bitrates = () =>
        (attempt(() => player.getBitrateInfoListFor(mediaType)) ?? [])
          .filter(({ qualityIndex }) => !fixed || qualityIndex === quality)
          .map(({ bitrate, qualityIndex }) => ({
            id: qualityIndex === quality ? rungId(quality, representationId) : String(qualityIndex),
            bandwidth: bitrate,
          }));
      return (fixed ? undefined : ladders.get(mediaType)) ?? makeLadder(bitrates());
    },

    forget(): void {
      ladders.clear();
    },
  };
}

const same = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** dash.js's CMCD settings, which are the only way to send `rtp` in 4.7. */
class RtpSetting {
  readonly #player: DashPlayerV4;
  readonly #mode: () => Cmcd['mode'];
  /** The application's CMCD settings. Sammy's are merged into them, and they are restored at the end. */
  #own: Cmcd;
  #written: Cmcd;
  /** Whether a `RequestModifier` of the application has created a URL that dash.js would rewrite; more of them may follow. */
  #isModified = false;

  /** `mode`: how to send `rtp` if the application sends no CMCD. */
  constructor(player: DashPlayerV4, mode: () => Cmcd['mode']) {
    this.#player = player;
    this.#mode = mode;
    this.#own = this.#written = this.#present;
  }

  /** Called with a URL after sending: only then does dash.js report the changes of a `RequestModifier`. */
  sent(url: string): void {
    this.#isModified ||= wouldBeRewritten(url);
  }

  /** Configures the next request, to `url`: null for no pace, undefined to restore the application's settings. */
  set(pace: Kbps | null | undefined, url?: string): void {
    const present = this.#present;
    if (!same(present, this.#written)) this.#own = present;
    this.#written = this.#with(pace, url);
    if (!same(present, this.#written)) writeSetting(this.#player, 'streaming.cmcd', this.#written);
  }

  #with(pace: Kbps | null | undefined, url = ''): Cmcd {
    const own = this.#own;
    if (pace === undefined) return own;
    const { enabled, mode, enabledKeys } = own;
    const others = enabled ? enabledKeys.filter((key) => key !== 'rtp') : [];
    if (pace === null) return { ...own, enabled: others.length > 0, enabledKeys: others };
    return {
      ...own,
      enabled: true,
      mode: enabled ? mode : this.#isModified || wouldBeRewritten(url) ? 'header' : this.#mode(),
      enabledKeys: [...others, 'rtp'],
      rtp: roundUpToRtp(pace),
    };
  }

  get #present(): Cmcd {
    // A shallow copy suffices, because dash.js replaces the lists instead of modifying lists.
    return { ...(readSetting(this.#player, 'streaming.cmcd') as Cmcd) };
  }
}

/** Part of a query that URLSearchParams leaves unchanged. Chrome 38 does not have URLSearchParams. */
const UNCHANGED_PAIR =
  /^([\w*.+-]|%(?!2[0ADE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dA])[\dA-F]{2})*=([\w*.+-]|%(?!2[0ADE]|3\d|4[1-9A-F]|5[\dAF]|6[1-9A-F]|7[\dA])[\dA-F]{2})*$/;

/**
 * Whether dash.js 4.7 would rewrite the existing part of a URL: it reencodes the whole query, which may invalidate a
 * signature.
 */
function wouldBeRewritten(url: string): boolean {
  const query = /\?([^#]+)/.exec(url)?.[1];
  return query !== undefined && !query.split('&').every((pair) => UNCHANGED_PAIR.test(pair));
}

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
 * An attempt that began at least this long after the request is a retry. dash.js waits at least 500 ms before a retry,
 * and the times that it reports are whole milliseconds.
 */
const RETRIED_MS = 100;

/**
 * The start of an attempt, ms of the page's clock, if it was a retry; `began` is its calendar time, `since` the time of the
 * request.
 */
function retriedAt(began: Date | undefined, since: number | undefined): number | undefined {
  if (began === undefined || since === undefined) return undefined;
  const attemptedAt = performance.now() - (Date.now() - began.getTime());
  return attemptedAt - since > RETRIED_MS ? attemptedAt : undefined;
}

/**
 * Attaches the source again, because 4.7 reads custom rules only at that time. If nothing has played yet, dash.js is given
 * its view again, which attaches the source with its original start time.
 */
function attachSourceAgain(player: DashPlayerV4): void {
  const source = player.isReady() ? attempt(() => player.getSource()) : undefined;
  if (source === undefined) return;
  const playhead = attempt(() => player.getVideoElement().currentTime) ?? 0;
  if (playhead > 0) player.attachSource(source, playhead);
  else player.attachView(player.getVideoElement());
}

function listenFirst(player: DashPlayerV4, listener: (end: LoadingEnd) => void): () => void {
  player.on(LOADED, listener, undefined, FIRST_PRIORITY);
  return () => player.off(LOADED, listener);
}

/** Whether to end a request after a failed attempt. Otherwise, dash.js would repeat it unchanged. */
function shouldEndRequest(
  attachment: DashAttachment,
  made: CreatedRequest | undefined,
  { responsecode }: HttpMetric,
): boolean {
  if (!made?.cmcd?.pace) return false;
  const consent = attachment.currentSession.core.getConsent(made.origin);
  return consent.shouldRetryWithoutRtp || !consent.excuseTemporaryFailure(responsecode ?? 0);
}

/** Handles the start, the failures and the end of requests. */
function followRequests(attachment: DashAttachment, known: ReturnType<typeof readLadders>, rtp: RtpSetting) {
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

  /** Adds the plug-in's own keys to a request. dash.js sends only the keys that it knows. */
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
   * The metric of the latest attempt. In 4.7, only this has the response's headers and the start time of the last attempt. It
   * is fired before the event that ends the request, with the same URL.
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
      // dash.js ignores responses that none of its loaders sent, and keeps waiting for this request. Send the request again.
      const { sender } = end;
      end.sender = undefined;
      withoutRtp(request);
      setTimeout(() => sender?.load(request));
    });
  };

  return { onStarted, onCmcd, onMetric, onEnded };
}

function installV4(player: DashPlayerV4, attachment: DashAttachment): Installation {
  const known = readLadders(player);
  const rtp = new RtpSetting(player, () => attachment.currentSession.core.options.cmcd);
  const { onStarted, onCmcd, onMetric, onEnded } = followRequests(attachment, known, rtp);
  const settings = takeover(
    player,
    attachment,
    ['streaming.abr.additionalAbrRules.abandonRequestsRule'],
    (type) => Number(readSetting(player, `streaming.abr.initialRepresentationRatio.${type}`)) >= 0,
  );
  settings.apply();
  const rules = addRules(player, attachment, known.dialect, settings);
  const stopListening = listenToPlayback(player, attachment, {
    fragmentLoadingStarted: onStarted,
    cmcdDataGenerated: onCmcd,
    fragmentLoadingAbandoned: onEnded(true),
    metricAdded: onMetric,
    manifestLoaded: settings.readManifest,
  });
  const stopHearing = listenFirst(player, onEnded(false));
  attachSourceAgain(player);

  return {
    refresh() {
      // The source, and therefore the ladder, may have changed.
      known.forget();
      settings.apply();
    },
    uninstall() {
      stopListening();
      stopHearing();
      rules.remove();
      rtp.set(undefined);
      settings.restore();
    },
  };
}

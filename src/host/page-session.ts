import type { CompletedDecision, Decision } from '../decision.ts';
import type { Ladder, Rung } from '../film/ladder.ts';
import type { MediaType } from '../film/media-type.ts';
import { TIMEOUT_STATUS } from '../learning/consent.ts';
import type { SammyOptions } from '../options.ts';
import { showsSlowNetwork, type Progress } from '../session/abandon.ts';
import { addLatest } from '../session/latest.ts';
import type { Environment } from '../session/playback-session.ts';
import { Sammy } from '../session/sammy.ts';
import type { RequestState, Situation } from '../session/state.ts';
import { seconds, type Kbps, type Seconds } from '../units.ts';
import { parseReceipt } from '../wire/receipt.ts';
import { isFromCache } from './browser/browser-cache.ts';
import { findTiming } from './browser/resource-timing.ts';
import { paceKeys, putRtp, type CmcdCarrier } from './cmcd.ts';
import type { Emitter } from './emitter.ts';
import type { SammyEvents } from './handle.ts';
import { readPlayable } from './playable.ts';
import { getOrigin } from './origin.ts';
import { PendingRequests, type PlayerRequest } from './pending-requests.ts';
import type { Warnings } from './warnings.ts';
import { watchDownload } from './watch-download.ts';

/** The state that all sessions of one player share. */
export interface PageContext {
  readonly environment: Environment;
  readonly emitter: Emitter<SammyEvents>;
  readonly warnings: Warnings;
  readonly readMedia: () => HTMLMediaElement | null;
  /** Calls a function that may throw, without stopping playback. */
  readonly guarded: (action: () => void) => void;
}

/** The functions that watch and end a download. */
export interface DownloadActions {
  /** Returns the number of bytes that have arrived; NaN if bytes have arrived but the player does not know how many. */
  readonly receivedBytes: () => number;
  /** Cancels a request with a pace that has received no bytes for too long. */
  readonly giveUp: () => void;
  /** Called regularly while the segment is in flight, to abandon a download that is too slow for the buffer. */
  readonly check?: () => void;
}

/** A segment, or a part of a segment, that a player requests, and the state of the player. */
export interface RequestedSegment extends DownloadActions, RequestState {
  readonly duration: Seconds;
  /** The rungs that can be chosen; undefined if the manifest has no bitrates. */
  readonly ladder: Ladder | undefined;
  /** The requested rung. If unknown, the lowest rung of the ladder is assumed. */
  readonly rung: Rung | undefined;
  /** Whether playback will not start until the viewer or the page requests playback. */
  readonly awaitsViewer: boolean;
  /** When the player created the request, ms of the page's clock, if this may be earlier than now. */
  readonly requestedAt?: number | undefined;
}

/** The part of a download that has arrived. */
interface Received {
  /** Bytes that have arrived, and the expected total; 0 while unknown. */
  readonly loaded: number;
  readonly total: number;
  /** Seconds since the first byte; NaN before, so that the download is not abandoned. */
  readonly elapsed: number;
}

/** A segment in flight. */
interface Download {
  readonly decision: Decision;
  readonly origin: string;
  /** When the request was sent, ms of the page's clock. */
  readonly since: number;
  readonly requestedAt: number | undefined;
  /** The playhead when the request was sent, s; NaN without a media element. */
  readonly playhead: number;
  /** Ends the checks of the download, if there are any. */
  readonly stop: (() => void) | undefined;
}

/** The end of a request. */
export interface RequestEnd {
  readonly size_bytes: number;
  /** Download time without waits for the encoder of a low-latency live stream; undefined if unknown. */
  readonly receiving_ms?: number | undefined;
  /** HTTP status; 0 without a response, 408 if the request was canceled because no bytes arrived. */
  readonly status: number;
  /** URL of the response, if known. After a redirect, this URL differs from the request's. */
  readonly url?: string | null | undefined;
  readonly aborted: boolean;
  /** When the last attempt was sent, ms of the page's clock, if the player has retried the request by itself. */
  readonly since?: number | undefined;
  readonly header: (name: string) => string | undefined;
}

/** The end of a request without a response. */
export const NO_RESPONSE = { status: 0, aborted: false, header: (): undefined => undefined };
export const GIVEN_UP = { ...NO_RESPONSE, status: TIMEOUT_STATUS };

/** The next step for a request that has ended. */
export interface EndedRequest {
  /** Whether the response to a request with `rtp` has no media, so that the player must not append the response. */
  readonly isVoid: boolean;
  /** Whether to repeat the request at once, without a pace. */
  readonly repeats: boolean;
}
const KEPT: EndedRequest = { isVoid: false, repeats: false };

/**
 * Whether the body of a successful response to a request with `rtp` is not media: a firewall may answer with an empty
 * body or an HTML page.
 */
const hasNoMedia = ({ size_bytes, header }: RequestEnd): boolean =>
  size_bytes === 0 || !!header('content-type')?.startsWith('text/html');

/** The CMCD of a request. */
export interface RequestCmcd {
  /** The pace to request; null for none. */
  readonly pace: Kbps | null;
  /** The keys that request the pace. */
  readonly keys: readonly string[];
  /** The throughput to report as `mtp`; undefined to leave `mtp` unchanged. */
  readonly estimate: Kbps | undefined;
  /** Adds the keys and the estimate to a request, unless pacing is switched off. */
  readonly put: (carrier: CmcdCarrier) => void;
}

/**
 * The player-neutral part of a playback session, which adapters extend. A session starts and ends with a source.
 */
export class PageSession {
  readonly core: Sammy;
  readonly decisions: CompletedDecision[] = [];
  /** Whether the source has been requested. */
  begun = false;
  readonly #context: PageContext;
  readonly #pending = new PendingRequests();
  readonly #downloads = new WeakMap<PlayerRequest, Download>();
  /** Start time of the last abandoned segment. */
  readonly #lastAbandoned = new Map<MediaType, number>();
  #viewerBegins = false;
  #hasEnded = false;

  constructor(options: SammyOptions, context: PageContext) {
    this.#context = context;
    this.core = new Sammy(options, context.environment);
  }

  /** Called when the source has ended. Requests that end later are ignored. */
  end(): void {
    this.#hasEnded = true;
    const { summary } = this.core;
    if (summary) this.#context.emitter.emit('summary', summary);
  }

  /** Called when the source, or an update of its manifest, is requested. */
  begin(): void {
    if (!this.begun) this.core.playbackRequested();
    this.begun = true;
  }

  /**
   * Called when the media element's `play` was called. `byHand`: whether the viewer or the page called it, not the
   * player.
   */
  playRequested(byHand = false): void {
    if (this.#viewerBegins || byHand) this.core.playbackRequested();
  }

  get media(): HTMLMediaElement | null {
    return this.#context.readMedia();
  }

  /** Called several times a second during playback. */
  playheadMoved(): void {
    const { media } = this;
    if (media) this.core.playhead(seconds(media.currentTime), () => readPlayable(media));
  }

  /**
   * Adds a request to the requests in flight. Requests for initialization segments and indexes have no decision and no
   * pace: they are small, and a request with `rtp` that is never answered would not be canceled.
   */
  addRequest(request: PlayerRequest, decision?: Decision): RequestCmcd {
    const pace = (decision?.requested_kbps ?? null) as Kbps | null;
    return this.makeCmcd(pace, this.#pending.add(request, pace));
  }

  /**
   * Returns the CMCD of a request with the given pace. `sum` is the sum of the paces of all requests in flight to the
   * origin, if known.
   */
  protected makeCmcd(pace: Kbps | null, sum: Kbps | null): RequestCmcd {
    const { core } = this;
    const keys = paceKeys(pace, sum);
    // CTA-5004's `mtp` is the throughput on which choices are based. If the player's rules choose, its `mtp` is kept.
    const estimate = core.choosesRungs ? core.estimate() : undefined;
    const { pacing, cmcd } = core.options;
    return {
      ...{ pace, keys, estimate },
      put(carrier) {
        if (pacing) putRtp(carrier, keys, cmcd, estimate);
      },
    };
  }

  /** Adds a request for a segment, or a part of a segment, to the requests in flight. */
  addSegment(request: PlayerRequest, segment: RequestedSegment): RequestCmcd {
    const { core, media } = this;
    const { warnings, emitter, guarded } = this.#context;
    const { ladder, requestedAt, receivedBytes, giveUp, check } = segment;
    this.begun = true;
    if (!ladder) {
      warnings.warn('no-bitrates', `the manifest gives no bitrates for ${segment.mediaType}`);
      return this.addRequest(request);
    }
    if (segment.awaitsViewer) {
      this.#viewerBegins = true;
      core.awaitViewer();
    }
    const origin = getOrigin(request.url);
    const decision = core.decide(
      { playable: () => readPlayable(media), origin, ...segment, ladder },
      segment.rung ?? ladder[0],
      segment.duration,
    );
    const { pace_reason, requested_kbps, buffer_s } = decision;
    if (pace_reason === 'rtp-refused') warnings.warn('rtp-refused', `${origin} refuses requests with rtp`);
    emitter.emit('request', decision);
    const since = performance.now();
    const lasting = seconds(buffer_s / segment.playbackRate);
    const stop: Download['stop'] =
      requested_kbps === null && !check
        ? undefined
        : watchDownload(receivedBytes, (silent_ms, hasBegun) =>
            guarded(() => {
              const isSilent = () => silent_ms >= core.getConsent(origin).firstByteTimeout(lasting, hasBegun);
              if (this.#hasEnded) stop?.();
              else if (requested_kbps !== null && isSilent()) giveUp();
              else check?.();
            }),
          );
    // dash.js retries a request with the same object: end the checks of the earlier attempt.
    this.#downloads.get(request)?.stop?.();
    this.#downloads.set(request, {
      ...{ decision, origin, since, requestedAt, stop },
      playhead: media?.currentTime ?? NaN,
    });
    return this.addRequest(request, decision);
  }

  /**
   * Returns the lower rung at which to restart a download in flight, or undefined to let the download continue. Each
   * segment is abandoned at most once, so that the replacement completes. The situation and the ladder are passed as
   * functions, because reading them from a player is slow.
   */
  chooseAbandonment(
    request: PlayerRequest,
    received: Received,
    readSituation: () => Situation,
    getLadder: () => Ladder | undefined,
  ): Rung | undefined {
    const { decision } = this.#downloads.get(request) ?? {};
    if (!decision || !this.core.choosesRungs) return undefined;
    const { media_type, segment_start_s } = decision;
    if (this.#lastAbandoned.get(media_type) === segment_start_s) return undefined;
    const expectedThroughput = decision.estimate_kbps;
    const progress = { ...received, pace: decision.requested_kbps, expectedThroughput } as Progress;
    if (!showsSlowNetwork(progress)) return undefined;
    const rung = this.core.chooseAbandonment(readSituation(), decision, getLadder, progress);
    if (rung) this.#lastAbandoned.set(media_type, segment_start_s);
    return rung;
  }

  /**
   * Records that a request has ended. The receipt of a response without a decision is recorded too, unless the response
   * was cached, because a cached receipt describes an old connection.
   */
  requestEnded(request: PlayerRequest, end: RequestEnd): EndedRequest {
    const { warnings, emitter } = this.#context;
    const { status, size_bytes, aborted, header } = end;
    const download = this.#downloads.get(request);
    download?.stop?.();
    this.#pending.remove(request);
    this.#downloads.delete(request);
    if (this.#hasEnded) return KEPT;
    const now = performance.now();
    const isAnswered = status >= 200 && status < 300 && !aborted;
    const timing = findTiming(request.url, end.since ?? download?.since, size_bytes, isAnswered);
    const receipt = parseReceipt(header);
    const answered_by = getOrigin(end.url ?? request.url);
    const from_cache = isFromCache(timing);
    if (!download) {
      if (!from_cache && Object.keys(receipt).length > 0) this.core.recordReceipt(receipt, answered_by);
      return KEPT;
    }
    const { decision, origin, playhead } = download;
    const hasPace = decision.requested_kbps !== null;
    const isVoid = isAnswered && hasPace && hasNoMedia(end);
    const outcome = isAnswered && !isVoid ? 'completed' : aborted ? 'abandoned' : 'failed';
    const sent = timing?.startTime ?? end.since ?? download.since;
    const ended = timing?.responseEnd ?? now;
    const completed = this.core.complete(decision, {
      ...end,
      ...{ receipt, origin, answered_by, from_cache, outcome },
      // A busy or hidden page notices the end of a response later than the browser.
      download_ms: (ended > sent ? Math.min(now, ended) : now) - sent,
      // Exclude the time between attempts: only the wait for the application's interceptors counts.
      waited_ms: Math.max(0, sent - (end.since ?? download.requestedAt ?? download.since)),
      advanced_s: (this.media?.currentTime ?? NaN) - playhead,
    });
    addLatest(this.decisions, completed);
    if (completed.pacing_honored === 'no') warnings.warn('pacing-not-honored', 'the server does not pace');
    emitter.emit('decision', completed);
    const isRefused = outcome === 'failed' && hasPace;
    return { isVoid, repeats: isRefused && this.core.getConsent(origin).shouldRetryWithoutRtp };
  }
}

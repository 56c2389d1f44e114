import type { AbrChoice } from '../abr/abr.ts';
import type { CompletedDecision, Decision } from '../decision.ts';
import type { MediaType } from '../film/media-type.ts';
import { makeLadder, type Ladder, type Rung } from '../film/ladder.ts';
import { showsSlowNetwork } from '../session/abandon.ts';
import { addLatest } from '../session/latest.ts';
import { TIMEOUT_STATUS } from '../learning/consent.ts';
import type { SammyOptions } from '../options.ts';
import { Sammy, type Environment } from '../session/sammy.ts';
import { bytes, seconds, type Kbps, type Seconds } from '../units.ts';
import { parseReceipt } from '../wire/receipt.ts';
import { attempt } from '../attempt.ts';
import { isFromCache } from '../host/browser/browser-cache.ts';
import type { Emitter } from '../host/emitter.ts';
import type { SammyEvents } from '../host/handle.ts';
import type { RepresentationFacts, ResponseFacts } from './facts.ts';
import { IndexSizes } from './index-sizes.ts';
import { getOrigin } from '../host/origin.ts';
import { Override } from './versions/override.ts';
import {
  MEDIA_SEGMENT,
  type DashPlayer,
  type FragmentRequest,
  type Loader,
  type MediaRequest,
} from './player.ts';
import { findTiming } from '../host/browser/resource-timing.ts';
import { readSetting, writeSetting } from './settings.ts';
import { readMediaState, readPlayhead, readSituation } from './state.ts';
import type { Warnings } from '../host/warnings.ts';

/** The state that all sessions of one player share. */
export interface SessionContext {
  readonly player: DashPlayer;
  readonly environment: Environment;
  readonly emitter: Emitter<SammyEvents>;
  readonly warnings: Warnings;
}

const NOT_HONORED = 'the server does not pace; Sammy still asks';

const REFUSED = 'refuses requests with rtp';

const NO_RESPONSE: ResponseFacts = {
  ...{ status: TIMEOUT_STATUS, size_bytes: 0, aborted: false },
  header: () => undefined,
};

/** Interval of the check whether bytes of a request have arrived, ms. */
const CHECK_INTERVAL_MS = 250;
/**
 * A check that runs later than this, ms, was delayed by a sleep, a debugger or a background tab. The response may have been
 * delayed too, so the wait starts again.
 */
const LATE_MS = 2 * CHECK_INTERVAL_MS;

/** The dash.js setting for the number of retries of a failed segment request. */
const RETRIES_SETTING = 'streaming.retryAttempts.MediaSegment';

/** Switches off dash.js's fast switch, which replaces buffered segments on every switch up. */
const NO_FAST_SWITCH = { 'streaming.buffer.fastSwitchEnabled': false };

/** A request in flight. */
interface PendingRequest {
  readonly decision: Decision;
  /** Time of the request, ms of the page's clock. */
  readonly since: number;
  readonly playhead: number | undefined;
  /** Origin of the URL that dash.js reported. A `RequestModifier` of dash.js 4.7 may have changed the URL afterwards. */
  readonly origin: string;
}

/** A playback session: it starts and ends with a source. */
export class Session {
  readonly core: Sammy;
  readonly decisions: CompletedDecision[] = [];
  readonly #context: SessionContext;
  readonly #fastSwitch: Override;
  readonly #indexSizes = { video: new IndexSizes(), audio: new IndexSizes() };
  /** Requests in flight. A retry replaces the entry of the previous attempt. */
  readonly #pending = new WeakMap<FragmentRequest, PendingRequest>();
  /** The loaders that have loaded a request: one per period and media type. */
  readonly #loaders = new Set<Loader>();
  /** Start time of the last abandoned segment. Segment indexes restart in every period. */
  readonly #lastAbandoned = new Map<MediaType, number>();
  /** Times at which dash.js started requests that have not ended. The application's interceptors may delay sending. */
  readonly #requestedAt = new WeakMap<FragmentRequest, number>();
  /** Whether the source has been requested. */
  hasBegun = false;
  #viewerBegins = false;
  #hasEnded = false;

  constructor(options: SammyOptions, context: SessionContext) {
    this.#context = context;
    this.core = new Sammy(options, context.environment);
    this.#fastSwitch = new Override(context.player);
  }

  /** Called when the source has ended. Later events belong to another session. */
  end(): void {
    this.#hasEnded = true;
    this.#fastSwitch.restore();
    // An algorithm may have detached within its choice, after which this setting would be overridden.
    this.#fastSwitch.setOnce({});
    const { summary } = this.core;
    if (summary) this.#context.emitter.emit('summary', summary);
  }

  update(options: SammyOptions): void {
    this.core.update(options);
    this.#fastSwitch.restore();
  }

  /** Called for every manifest request. Only the first one of a source is a request for playback; others are updates. */
  manifestRequested(): void {
    if (!this.hasBegun) this.core.playbackRequested();
    this.hasBegun = true;
  }

  /** Called when the media element was told to play. */
  playRequested(): void {
    // With autoplay, dash.js starts playback itself, and the viewer has waited since the source was requested.
    const byHand = () => !this.#context.player.getAutoPlay();
    if (this.#viewerBegins || attempt(byHand)) this.core.playbackRequested();
  }

  /**
   * With autoplay, dash.js starts playback before it requests a segment. A media element that is still paused then waits for
   * the viewer or the page: autoplay is off or forbidden, an advertisement comes first, or there is no media element yet.
   */
  #awaitViewerIfPaused(): void {
    if (attempt(() => !this.#context.player.getVideoElement().paused)) return;
    this.#viewerBegins = true;
    this.core.awaitViewer();
  }

  /** Returns the rung for the next segment, or undefined to leave the choice to dash.js. */
  chooseRung(mediaType: MediaType, ladder: Ladder): AbrChoice | undefined {
    if (!this.core.choosesRungs) return undefined;
    const state = {
      ladder,
      ...readSituation(this.#context.player, mediaType, this.#indexSizes[mediaType].sizes),
    };
    const choice = this.core.chooseRung(state);
    if (choice.replaces) this.#fastSwitch.restore();
    else this.#fastSwitch.setOnce(NO_FAST_SWITCH);
    return choice;
  }

  /**
   * Returns the rung at which to download the segment in flight again, or undefined to let it continue. Each segment is
   * abandoned at most once, so that its replacement completes. dash.js calls this on every progress event, and reading its
   * ladder is slow.
   */
  chooseAbandonment(request: MediaRequest, getLadder: () => Ladder | undefined): Rung | undefined {
    const { mediaType, startTime, firstByteDate } = request;
    const abandoned = this.#lastAbandoned.get(mediaType) === startTime;
    const decision = this.#pending.get(request)?.decision;
    if (!this.core.choosesRungs || !decision || abandoned) return undefined;
    const progress = {
      loaded: bytes(request.bytesLoaded),
      total: bytes(request.bytesTotal),
      // NaN before the first byte, when the download cannot be judged.
      elapsed: seconds((Date.now() - Number(firstByteDate ?? NaN)) / 1000),
      pace: decision.requested_kbps as Kbps | null,
      expected: decision.estimate_kbps as Kbps | null,
    };
    if (!showsSlowNetwork(progress)) return undefined;
    const situation = readSituation(
      this.#context.player,
      mediaType,
      this.#indexSizes[mediaType].sizes,
      request,
    );
    const current = { bitrate_kbps: decision.bitrate_kbps as Kbps };
    const rung = this.core.chooseAbandonment(situation, current, getLadder, progress);
    if (rung) this.#lastAbandoned.set(mediaType, startTime);
    return rung;
  }

  /**
   * Called before a request, when dash.js is about to read its number of retries. A segment that the server may refuse
   * because of `rtp` needs a retry without it, even if the application allows none.
   */
  requesting(request: FragmentRequest): void {
    const { player } = this.#context;
    this.#requestedAt.set(request, performance.now());
    const { retries } = this.core.getConsent(getOrigin(request.url));
    if (readSetting(player, RETRIES_SETTING) !== 0 || !retries) return;
    writeSetting(player, RETRIES_SETTING, retries);
    queueMicrotask(() => {
      writeSetting(player, RETRIES_SETTING, 0);
    });
  }

  /** Called when `loader` has loaded a request. Stores the loader, to find it for a later request. */
  loaded(loader: Loader | undefined): void {
    if (loader) this.#loaders.add(loader);
  }

  /** Returns the loader of a request in flight. */
  #findLoader(request: FragmentRequest): Loader | undefined {
    return [...this.#loaders].find((each) => each.getRequests({ state: 'loading' }).includes(request));
  }

  /** Returns the pace to request: null for no pace, undefined to leave the request's CMCD unchanged. */
  requested(
    request: MediaRequest,
    ladder: Ladder | undefined,
    representation: RepresentationFacts,
  ): Kbps | null | undefined {
    this.hasBegun = true;
    const pace = this.#choosePace(request, ladder, representation);
    return this.core.options.pacing ? pace : undefined;
  }

  #choosePace(
    request: MediaRequest,
    ladder: Ladder | undefined,
    representation: RepresentationFacts,
  ): Kbps | null {
    if (!ladder) {
      this.#context.warnings.warn('no-bitrates', `the manifest gives no bitrates for ${request.mediaType}`);
      return null;
    }
    // Audio and video may share representation ids.
    const indexSizes = this.#indexSizes[request.mediaType];
    const state = {
      ...readMediaState(this.#context.player, ladder, indexSizes.sizes, request),
      isFinal: !this.#findLoader(request),
    };
    indexSizes.learn(representation.id, representation.segments);
    // dash.js may start with a representation that the ladder leaves out, because a better one has a lower bitrate.
    const rung =
      ladder.find(({ id }) => id === representation.id) ?? (makeLadder([representation]) ?? ladder)[0];
    // An initialization segment or an index has 1 or 2 kB and no timeout, so it is never used to test an origin.
    if (request.type !== MEDIA_SEGMENT) return null;
    this.#awaitViewerIfPaused();
    const decision = this.core.decide(state, rung, seconds(request.duration));
    this.#pending.set(request, {
      decision,
      since: performance.now(),
      playhead: readPlayhead(this.#context.player),
      origin: getOrigin(request.url),
    });
    if (decision.pace_reason === 'rtp-refused') {
      this.#context.warnings.warn('rtp-refused', `${String(state.origin)} ${REFUSED}`);
    }
    if (decision.requested_kbps !== null) this.#watch(request, decision, 0);
    this.#context.emitter.emit('request', decision);
    return decision.requested_kbps as Kbps | null;
  }

  /** Cancels a request with `rtp` if no bytes arrive for a while. `seen` bytes had arrived at `since`. */
  #watch(request: MediaRequest, decision: Decision, seen = 0, since = performance.now()): void {
    const looked = performance.now();
    setTimeout(() => {
      const entry = this.#pending.get(request);
      if (this.#hasEnded || entry?.decision !== decision) return;
      const now = performance.now();
      // Without a Content-Length, dash.js 4.7 counts no bytes. NaN differs from every `seen`, so the wait starts again.
      const loaded = request.firstByteDate ? request.bytesLoaded || NaN : 0;
      const consent = this.core.getConsent(entry.origin);
      const patience_ms = consent.firstByteTimeout(decision.buffer_s as Seconds, loaded > 0);
      if (loaded !== seen || now > looked + LATE_MS) this.#watch(request, decision, loaded);
      else if (now < since + patience_ms) this.#watch(request, decision, seen, since);
      else this.responded(request, NO_RESPONSE);
    }, CHECK_INTERVAL_MS);
  }

  /**
   * Called when a response has ended, successfully or not. Returns whether the response to a request with `rtp` has no media:
   * a firewall may send an empty body or an HTML page.
   */
  responded(request: FragmentRequest, response: ResponseFacts): boolean {
    const entry = this.#pending.get(request);
    const answered_by = getOrigin(response.url ?? request.url);
    const receipt = parseReceipt(response.header);
    const now = performance.now();
    const since = response.since ?? entry?.since;
    const timing = findTiming(request.url, since, response.size_bytes);
    const from_cache = isFromCache(timing);
    if (!entry) {
      // Servers of manifests and licenses may send no receipt. A cached receipt describes an old connection.
      if (!from_cache && Object.keys(receipt).length > 0) this.core.recordReceipt(receipt, answered_by);
      return false;
    }
    this.#pending.delete(request);
    const { origin } = entry;
    const sent = timing?.startTime ?? since ?? now;
    const ended = timing?.responseEnd ?? now;
    // The time between the attempts is not a wait for the application's interceptors.
    const requestedAt = response.since ?? this.#requestedAt.get(request) ?? sent;
    this.#requestedAt.delete(request);
    const isGood = response.status >= 200 && response.status < 300;
    const isVoid =
      isGood &&
      entry.decision.requested_kbps !== null &&
      (response.size_bytes === 0 || !!response.header('content-type')?.startsWith('text/html'));
    const playhead = readPlayhead(this.#context.player) ?? NaN;
    const completed = this.core.complete(entry.decision, {
      outcome: isVoid ? 'failed' : isGood ? 'completed' : response.aborted ? 'abandoned' : 'failed',
      // A page that is busy or in the background sees the end of a response later than the browser.
      download_ms: (ended > sent ? Math.min(now, ended) : now) - sent,
      waited_ms: Math.max(0, sent - requestedAt),
      advanced_s: playhead - (entry.playhead ?? NaN),
      receipt,
      origin,
      answered_by,
      from_cache,
      // V8 is many times faster when new properties come before a spread.
      ...response,
    });
    const { outcome, requested_kbps } = completed;
    if (
      outcome === 'failed' &&
      requested_kbps !== null &&
      this.core.getConsent(origin).shouldRetryWithoutRtp
    ) {
      // Makes dash.js request the segment again at once, without a pace. dash.js schedules its own retry after this call.
      setTimeout(() => this.#findLoader(request)?.abortRequests());
    }
    addLatest(this.decisions, completed);
    if (completed.pacing_honored === 'no') this.#context.warnings.warn('pacing-not-honored', NOT_HONORED);
    this.#context.emitter.emit('decision', completed);
    return isVoid;
  }
}

import type { AbrChoice } from '../abr/abr.ts';
import type { CompletedDecision, Decision } from '../decision.ts';
import type { MediaType } from '../film/media-type.ts';
import { makeLadder, type Ladder, type Rung } from '../film/ladder.ts';
import { saysSlow } from '../session/abandon.ts';
import { addLatest } from '../session/latest.ts';
import type { SammyOptions } from '../options.ts';
import { Sammy, type Surroundings } from '../session/sammy.ts';
import { bytes, seconds, type Kbps } from '../units.ts';
import { parseReceipt } from '../wire/receipt.ts';
import { attempt } from '../attempt.ts';
import { cameFromCache } from '../host/browser/browser-cache.ts';
import type { Emitter } from '../host/emitter.ts';
import type { SammyEvents } from '../host/handle.ts';
import type { RepresentationFacts, ResponseFacts } from './facts.ts';
import { giveUp } from './give-up.ts';
import { IndexSizes } from './index-sizes.ts';
import { originOf } from '../host/origin.ts';
import { Override } from './versions/override.ts';
import { MEDIA_SEGMENT, type DashPlayer, type FragmentRequest, type MediaRequest } from './player.ts';
import { timingOf } from '../host/browser/resource-timing.ts';
import { readSetting, writeSetting } from './settings.ts';
import { mediaStateOf, situationOf } from './state.ts';
import type { Warnings } from '../host/warnings.ts';

/** What all sessions of one player share. */
export interface SessionContext {
  readonly player: DashPlayer;
  readonly surroundings: Surroundings;
  readonly emitter: Emitter<SammyEvents>;
  readonly warnings: Warnings;
}

const NOT_HONORED = 'the server does not pace; Sammy still asks';

const REFUSED = 'refuses requests with rtp';

/** In time: 408 is the status for that (RFC 9110 §15.5.9), and 0 is a network's that has failed. */
const NO_RESPONSE: ResponseFacts = { status: 408, size_bytes: 0, aborted: false, header: () => undefined };

/** How often dash.js repeats what has failed. */
const ATTEMPTS = 'streaming.retryAttempts.MediaSegment';

/** Switches off dash.js's fast switch, which on every switch up replaces what is buffered. */
const NO_FAST_SWITCH = { 'streaming.buffer.fastSwitchEnabled': false };

/** A playback session, which lasts as long as one source, and everything that ends with it. */
export class Session {
  readonly sammy: Sammy;
  readonly decisions: CompletedDecision[] = [];
  readonly #context: SessionContext;
  readonly #fastSwitch: Override;
  readonly #indexSizes = { video: new IndexSizes(), audio: new IndexSizes() };
  /** Requests in flight. A retry replaces the entry of the previous attempt. */
  readonly #underWay = new WeakMap<FragmentRequest, { decision: Decision; since: number }>();
  /** Start time of the last abandoned segment. An index would not do: it restarts in every period. */
  readonly #lastAbandoned = new Map<MediaType, number>();
  /** When dash.js began with requests that have not ended: interceptors of the application may wait before they are sent. */
  readonly #requestedAt = new WeakMap<FragmentRequest, number>();
  #begun = false;
  #viewerBegins = false;

  constructor(options: SammyOptions, context: SessionContext) {
    this.#context = context;
    this.sammy = new Sammy(options, context.surroundings);
    this.#fastSwitch = new Override(context.player);
  }

  /** Whether the source has been requested. */
  get begun(): boolean {
    return this.#begun;
  }

  /** Called when the source has ended. What follows belongs to another session. */
  end(): void {
    this.#fastSwitch.restore();
    // An algorithm may have detached within its choice, after which this setting would be overridden.
    this.#fastSwitch.setOnce({});
    const { summary } = this.sammy;
    if (summary) this.#context.emitter.emit('summary', summary);
  }

  update(options: SammyOptions): void {
    this.sammy.update(options);
    this.#fastSwitch.restore();
  }

  /** Called for every manifest request. Only the first one of a source is a request for playback; others are updates. */
  manifestRequested(): void {
    if (!this.#begun) this.sammy.playbackRequested();
    this.#begun = true;
  }

  /** Called when the media element was told to play. */
  started(): void {
    // dash.js itself begins to play, which the viewer has asked for with the source, unless he has to press a button.
    const byHand = () => !this.#context.player.getAutoPlay();
    if (this.#viewerBegins || attempt(byHand)) this.sammy.playbackRequested();
  }

  /**
   * With autoplay dash.js plays before it asks for a segment. What is paused by then waits for the viewer, or for the
   * page: autoplay is off or forbidden, an advertisement comes first, or there is no media element yet.
   */
  #awaitViewerIfPaused(): void {
    if (attempt(() => !this.#context.player.getVideoElement().paused)) return;
    this.#viewerBegins = true;
    this.sammy.awaitViewer();
  }

  /** Returns the rung for the next segment, or undefined to leave the choice to dash.js. */
  chooseRung(mediaType: MediaType, ladder: Ladder): AbrChoice | undefined {
    if (!this.sammy.choosesRungs) return undefined;
    const state = {
      ladder,
      ...situationOf(this.#context.player, mediaType, this.#indexSizes[mediaType].sizes),
    };
    const choice = this.sammy.chooseRung(state);
    if (choice.replaces) this.#fastSwitch.restore();
    else this.#fastSwitch.setOnce(NO_FAST_SWITCH);
    return choice;
  }

  /**
   * Returns the rung at which to download the segment in flight again, or undefined to let it continue. Each segment is
   * abandoned at most once, so its replacement is safe. dash.js asks with all that arrives, and is slow to tell its ladder.
   */
  chooseAbandonment(request: MediaRequest, ladderOf: () => Ladder | undefined): Rung | undefined {
    const { mediaType, startTime, firstByteDate } = request;
    const abandoned = this.#lastAbandoned.get(mediaType) === startTime;
    const decision = this.#underWay.get(request)?.decision;
    if (!this.sammy.choosesRungs || !decision || abandoned) return undefined;
    const progress = {
      loaded: bytes(request.bytesLoaded),
      total: bytes(request.bytesTotal),
      // Not a number before the first byte, when nothing says that it is slow.
      elapsed: seconds((Date.now() - Number(firstByteDate ?? NaN)) / 1000),
      pace: decision.requested_kbps as Kbps | null,
      expected: decision.estimate_kbps as Kbps | null,
    };
    if (!saysSlow(progress)) return undefined;
    const situation = situationOf(
      this.#context.player,
      mediaType,
      this.#indexSizes[mediaType].sizes,
      request,
    );
    const current = { bitrate_kbps: decision.bitrate_kbps as Kbps };
    const rung = this.sammy.chooseAbandonment(situation, current, ladderOf, progress);
    if (rung) this.#lastAbandoned.set(mediaType, startTime);
    return rung;
  }

  /**
   * Called when dash.js is about to request something, and to read how often it may try. What may be refused for its `rtp` is
   * to be repeated without, also where dash.js would stop at the first failure.
   */
  requesting(request: FragmentRequest): void {
    const { player } = this.#context;
    this.#requestedAt.set(request, performance.now());
    const { isSettled } = this.sammy.consentOf(originOf(request.url));
    if (readSetting(player, ATTEMPTS) !== 0 || isSettled) return;
    writeSetting(player, ATTEMPTS, 2);
    queueMicrotask(() => {
      writeSetting(player, ATTEMPTS, 0);
    });
  }

  /** Returns the pace to ask for: null for no pace, undefined to leave the request's CMCD unchanged. */
  requested(
    request: MediaRequest,
    ladder: Ladder | undefined,
    representation: RepresentationFacts,
  ): Kbps | null | undefined {
    this.#begun = true;
    const pace = this.#paceOf(request, ladder, representation);
    return this.sammy.options.pacing ? pace : undefined;
  }

  #paceOf(
    request: MediaRequest,
    ladder: Ladder | undefined,
    representation: RepresentationFacts,
  ): Kbps | null {
    if (!ladder) {
      this.#context.warnings.warn('no-bitrates', `the manifest gives no bitrates for ${request.mediaType}`);
      return null;
    }
    // Sound and picture may share ids.
    const indexSizes = this.#indexSizes[request.mediaType];
    const state = mediaStateOf(this.#context.player, ladder, indexSizes.sizes, request);
    indexSizes.learn(representation.id, representation.segments);
    // dash.js may begin with what costs more than a better one, which the ladder has not.
    const rung =
      ladder.find(({ id }) => id === representation.id) ?? (makeLadder([representation]) ?? ladder)[0];
    if (request.type !== MEDIA_SEGMENT) return this.sammy.choosePace(state, rung).pace;
    this.#awaitViewerIfPaused();
    const decision = this.sammy.decide(state, rung, seconds(request.duration));
    this.#underWay.set(request, { decision, since: performance.now() });
    if (decision.pace_reason === 'rtp-refused') {
      this.#context.warnings.warn('rtp-refused', `${String(state.origin)} ${REFUSED}`);
    }
    const patience_ms = this.sammy.patience(decision, state.origin);
    if (patience_ms !== undefined) {
      setTimeout(() => {
        const waits = !request.firstByteDate && this.#underWay.get(request)?.decision === decision;
        if (waits) this.responded(request, NO_RESPONSE);
      }, patience_ms);
    }
    this.#context.emitter.emit('request', decision);
    return decision.requested_kbps as Kbps | null;
  }

  /** Called when a response has ended, successfully or not. */
  responded(request: FragmentRequest, response: ResponseFacts): void {
    const entry = this.#underWay.get(request);
    const origin = originOf(request.url);
    const answered_by = originOf(response.url ?? request.url);
    const receipt = parseReceipt(response.header);
    const timing = request.url === null ? undefined : timingOf(request.url, entry?.since ?? 0);
    const from_cache = cameFromCache(timing);
    if (!entry) {
      // A manifest or a license may come from another server, without one; what was kept with one tells of an old connection.
      if (!from_cache && Object.keys(receipt).length > 0) this.sammy.heard(receipt, answered_by);
      return;
    }
    this.#underWay.delete(request);
    const sent = timing?.startTime ?? entry.since;
    // A retry has waited for something else.
    const requestedAt = this.#requestedAt.get(request) ?? sent;
    this.#requestedAt.delete(request);
    const succeeded = response.status >= 200 && response.status < 300;
    const completed = this.sammy.complete(entry.decision, {
      outcome: succeeded ? 'completed' : response.aborted ? 'abandoned' : 'failed',
      download_ms: durationOf(sent, response.retried_ms, timing?.responseEnd),
      waited_ms: Math.max(0, sent - requestedAt),
      receipt,
      origin,
      answered_by,
      from_cache,
      // V8 is many times as fast where what is new comes before what is copied.
      ...response,
    });
    if (completed.outcome === 'failed' && this.sammy.consentOf(origin).isDoubted) {
      // It is to be requested again at once, without a pace; dash.js plans its own retry after this.
      setTimeout(() => {
        giveUp(this.#context.player, request);
      });
    }
    addLatest(this.decisions, completed);
    if (completed.pacing_honored === 'no') this.#context.warnings.warn('pacing-not-honored', NOT_HONORED);
    this.#context.emitter.emit('decision', completed);
  }
}

/**
 * Duration of a download in ms. It starts with the request, or, if that was retried, with the last attempt. It ends at
 * `ended`, the browser's own measurement, where there is one: a page that is busy or in the background is told late.
 */
function durationOf(since: number, retried_ms: number | undefined, ended = Infinity): number {
  const now = performance.now();
  const heard = retried_ms ?? now - since;
  const arrived = heard - (now - ended);
  return arrived > 0 ? Math.min(heard, arrived) : heard;
}

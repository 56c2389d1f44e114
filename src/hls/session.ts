import type { CompletedDecision, Decision } from '../decision.ts';
import type { MediaType } from '../film/media-type.ts';
import type { Ladder, Rung } from '../film/ladder.ts';
import { cameFromCache } from '../host/browser/browser-cache.ts';
import { timingOf } from '../host/browser/resource-timing.ts';
import type { Emitter } from '../host/emitter.ts';
import type { SammyEvents } from '../host/handle.ts';
import { originOf } from '../host/origin.ts';
import type { Warnings } from '../host/warnings.ts';
import { saysSlow } from '../session/abandon.ts';
import { addLatest } from '../session/latest.ts';
import { Sammy, type Surroundings } from '../session/sammy.ts';
import type { SammyOptions } from '../options.ts';
import { bytes, seconds, type Kbps, type Seconds } from '../units.ts';
import { parseReceipt } from '../wire/receipt.ts';
import {
  choosableLevels,
  findLevelMediaType,
  makeLevelLadder,
  makeRenditionLadder,
  playlistSizes,
} from './levels.ts';
import type { RequestEnd } from './loader.ts';
import type { HlsPlayer, LoaderStats, MediaRequest, NetworkDetails } from './player.ts';
import { readMediaState, readPlayhead, readSituation } from './state.ts';

/** The state that all sessions of one player share. */
export interface SessionContext {
  readonly hls: HlsPlayer;
  readonly surroundings: Surroundings;
  readonly emitter: Emitter<SammyEvents>;
  readonly warnings: Warnings;
}

/** A request in flight. */
export interface Download {
  readonly request: MediaRequest;
  readonly decision: Decision;
  /** When it was made, ms of the page. */
  readonly since: number;
  readonly playhead: number | undefined;
  readonly origin: string;
}

/** A playback session: it starts and ends with a source. */
export class Session {
  readonly core: Sammy;
  readonly decisions: CompletedDecision[] = [];
  readonly #context: SessionContext;
  readonly #sizes;
  /** Start time of the last abandoned segment. */
  readonly #lastAbandoned = new Map<MediaType, number>();
  /** The level of the segment that was loaded last; -1 before the first. */
  lastLevel = -1;
  /** Whether the source has been requested. */
  begun = false;
  #viewerBegins = false;
  #hasEnded = false;

  constructor(options: SammyOptions, context: SessionContext) {
    this.#context = context;
    this.core = new Sammy(options, context.surroundings);
    this.#sizes = playlistSizes(context.hls);
  }

  /** Called when the source has ended. Requests that end later belong to no session. */
  end(): void {
    this.#hasEnded = true;
    const { summary } = this.core;
    if (summary) this.#context.emitter.emit('summary', summary);
  }

  update(options: SammyOptions): void {
    this.core.update(options);
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  manifestRequested(): void {
    this.begun = true;
    this.core.playbackRequested();
  }

  /** Called when the media element was told to play. */
  playRequested(): void {
    if (this.#viewerBegins) this.core.playbackRequested();
  }

  /** A media element that is paused and does not play by itself waits for the viewer or the page. */
  #awaitViewerIfPaused(): void {
    const { media } = this.#context.hls;
    if (media && (!media.paused || media.autoplay)) return;
    this.#viewerBegins = true;
    this.core.awaitViewer();
  }

  /** Returns the level for the next segment, or undefined to leave the choice to hls.js. `base` is as `choosableLevels` says. */
  chooseLevel(base: number): number | undefined {
    const { hls } = this.#context;
    if (!this.core.choosesRungs) return undefined;
    const indexes = choosableLevels(hls, base);
    const ladder = makeLevelLadder(hls, indexes);
    if (!ladder) return undefined;
    const mediaType = findLevelMediaType(hls);
    const { rung } = this.core.chooseRung({ ladder, ...readSituation(hls, mediaType, this.#sizes) });
    return this.#findLevel(indexes, rung);
  }

  #findLevel(indexes: readonly number[], rung: Rung): number | undefined {
    return indexes.find((index) => makeLevelLadder(this.#context.hls, [index])?.[0].id === rung.id);
  }

  /**
   * Returns the level at which to download the segment in flight again, or undefined to let it continue. Each segment is abandoned
   * at most once, so its replacement is safe.
   */
  chooseAbandonment({ request, decision }: Download, stats: LoaderStats): number | undefined {
    const { hls } = this.#context;
    const { mediaType, frag, part } = request;
    const { start } = part ?? frag;
    if (!this.core.choosesRungs || !hls.autoLevelEnabled || frag.type !== 'main') return undefined;
    if (this.#lastAbandoned.get(mediaType) === start) return undefined;
    const { first } = stats.loading;
    const progress = {
      loaded: bytes(stats.loaded),
      total: bytes(stats.total),
      // NaN before the first byte, when the download cannot be judged.
      elapsed: seconds(first > 0 ? (performance.now() - first) / 1000 : NaN),
      pace: decision.requested_kbps as Kbps | null,
      expected: decision.estimate_kbps as Kbps | null,
    };
    if (!saysSlow(progress)) return undefined;
    const indexes = choosableLevels(hls, frag.level);
    const rung = this.core.chooseAbandonment(
      readSituation(hls, mediaType, this.#sizes, part ?? frag),
      { bitrate_kbps: decision.bitrate_kbps as Kbps },
      () => makeLevelLadder(hls, indexes),
      progress,
    );
    if (!rung) return undefined;
    this.#lastAbandoned.set(mediaType, start);
    return this.#findLevel(indexes, rung);
  }

  /** The rungs that can be chosen for a request: only the present one if the application has fixed the level. */
  #ladderFor(request: MediaRequest): Ladder | undefined {
    const { hls } = this.#context;
    const { type, level } = request.frag;
    if (type === 'audio') return makeRenditionLadder(hls, request);
    return makeLevelLadder(hls, hls.autoLevelEnabled ? choosableLevels(hls, level) : [level]);
  }

  /** Records a request for a segment or a part of one; undefined if the playlist gives no bitrates. */
  requested(request: MediaRequest): Download | undefined {
    const { hls, warnings, emitter } = this.#context;
    const { mediaType, frag, part, url } = request;
    this.begun = true;
    const ladder = this.#ladderFor(request);
    if (!ladder) {
      warnings.warn('no-bitrates', `the manifest gives no bitrates for ${mediaType}`);
      return undefined;
    }
    this.#awaitViewerIfPaused();
    const state = readMediaState(hls, ladder, this.#sizes, request);
    const present = frag.type === 'audio' ? ladder : makeLevelLadder(hls, [frag.level]);
    // hls.js may start at a level that the ladder leaves out, because a better one has a lower bitrate.
    const [rung] = present ?? ladder;
    const decision = this.core.decide(state, rung, seconds((part ?? frag).duration));
    if (decision.pace_reason === 'rtp-refused') {
      warnings.warn('rtp-refused', `${String(state.origin)} refuses requests with rtp`);
    }
    emitter.emit('request', decision);
    return {
      ...{ request, decision, since: performance.now() },
      ...{ playhead: readPlayhead(hls), origin: originOf(url) },
    };
  }

  /** How long a request may bring no bytes before it is given up, ms; infinite for one that asks for no pace. */
  patience({ decision, origin }: Download, hasBegun: boolean): number {
    if (decision.requested_kbps === null) return Infinity;
    return this.core.consentOf(origin).patience(decision.buffer_s as Seconds, hasBegun);
  }

  /** Called when a download has ended. Returns whether to repeat it at once, without a pace. */
  ended({ request, decision, since, playhead, origin }: Download, end: RequestEnd): boolean {
    if (this.#hasEnded) return false;
    const { hls, warnings, emitter } = this.#context;
    const { status, size_bytes, aborted, details } = end;
    const now = performance.now();
    const timing = timingOf(request.url, since, size_bytes);
    const sent = timing?.startTime ?? since;
    const ended = timing?.responseEnd ?? now;
    const isGood = status >= 200 && status < 300 && !aborted;
    const header = readHeaders(details);
    const isVoid =
      isGood &&
      decision.requested_kbps !== null &&
      (size_bytes === 0 || !!header('content-type')?.startsWith('text/html'));
    const completed = this.core.complete(decision, {
      ...{ status, size_bytes, origin },
      outcome: isGood && !isVoid ? 'completed' : aborted ? 'abandoned' : 'failed',
      // A page that is busy or in the background sees the end of a response later than the browser.
      download_ms: (ended > sent ? Math.min(now, ended) : now) - sent,
      waited_ms: Math.max(0, sent - since),
      advanced_s: (readPlayhead(hls) ?? NaN) - (playhead ?? NaN),
      receipt: parseReceipt(header),
      answered_by: originOf(end.url || request.url),
      from_cache: cameFromCache(timing),
    });
    addLatest(this.decisions, completed);
    if (completed.pacing_honored === 'no')
      warnings.warn('pacing-not-honored', 'the server does not pace; Sammy still asks');
    emitter.emit('decision', completed);
    const isRefused = completed.outcome === 'failed' && completed.requested_kbps !== null;
    return isRefused && this.core.consentOf(origin).isDoubted;
  }

  /** Called with the response of a playlist: its receipt says how the connection is. */
  playlistLoaded(url: string, since: number, size_bytes: number, details: NetworkDetails): void {
    const receipt = parseReceipt(readHeaders(details));
    if (Object.keys(receipt).length > 0 && !cameFromCache(timingOf(url, since, size_bytes)))
      this.core.heard(receipt, originOf(url));
  }
}

/**
 * Returns a function that reads the headers of a response. hls.js's own `getResponseHeader` passes on numbers only, and
 * asking an XMLHttpRequest for a header that another origin hides logs an error.
 */
function readHeaders(details: NetworkDetails): (name: string) => string | undefined {
  const { headers, getAllResponseHeaders } = (details ?? {}) as Partial<Response & XMLHttpRequest>;
  if (headers) return (name) => headers.get(name) ?? undefined;
  const lines = getAllResponseHeaders?.call(details) ?? '';
  return (name) => new RegExp(`^${name}:\\s*(.*?)\\s*$`, 'im').exec(lines)?.[1];
}

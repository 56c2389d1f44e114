import type { CompletedDecision, Decision } from '../decision.ts';
import { TIMEOUT_STATUS } from '../learning/consent.ts';
import type { SammyOptions } from '../options.ts';
import { addLatest } from '../session/latest.ts';
import { Sammy, type Environment } from '../session/sammy.ts';
import type { Seconds } from '../units.ts';
import { parseReceipt } from '../wire/receipt.ts';
import { isFromCache } from './browser/browser-cache.ts';
import { findTiming } from './browser/resource-timing.ts';
import type { Emitter } from './emitter.ts';
import type { SammyEvents } from './handle.ts';
import { getOrigin } from './origin.ts';
import type { Warnings } from './warnings.ts';

/** The state that all sessions of one player share. */
export interface PageContext {
  readonly surroundings: Environment;
  readonly emitter: Emitter<SammyEvents>;
  readonly warnings: Warnings;
  /** Presentation time that plays; undefined while there is no media element. */
  readonly readPlayhead: () => number | undefined;
}

/** A download in flight. */
export interface Download {
  readonly decision: Decision;
  readonly url: string;
  /** When it was requested, ms of the page. */
  readonly since: number;
  readonly playhead: number | undefined;
}

/** How a download has ended. */
export interface DownloadEnd {
  /** HTTP status; 0 without a response, 408 if it was given up because nothing came. */
  readonly status: number;
  /** URL of the response, if the player reports it: it differs from that of the request after a redirect. */
  readonly url?: string | undefined;
  readonly size_bytes: number;
  readonly aborted: boolean;
  readonly header: (name: string) => string | undefined;
}

/** The end of a download without a response. */
export const NO_RESPONSE = { status: 0, aborted: false, header: (): undefined => undefined };
export const GIVEN_UP = { ...NO_RESPONSE, status: TIMEOUT_STATUS };

/**
 * The player-neutral part of a playback session, which adapters extend. A session starts and ends with a source.
 */
export class PageSession {
  readonly core: Sammy;
  readonly decisions: CompletedDecision[] = [];
  /** Whether the source has been requested. */
  begun = false;
  readonly #context: PageContext;
  #viewerBegins = false;
  #hasEnded = false;

  constructor(options: SammyOptions, context: PageContext) {
    this.#context = context;
    this.core = new Sammy(options, context.surroundings);
  }

  get hasEnded(): boolean {
    return this.#hasEnded;
  }

  /** Called when the source has ended. Downloads that end later belong to no session. */
  end(): void {
    this.#hasEnded = true;
    const { summary } = this.core;
    if (summary) this.#context.emitter.emit('summary', summary);
  }

  update(options: SammyOptions): void {
    this.core.update(options);
  }

  /** Called when the source is requested. */
  begin(): void {
    this.begun = true;
    this.core.playbackRequested();
  }

  /** Called when playback waits for the viewer or the page. */
  awaitViewer(): void {
    this.#viewerBegins = true;
    this.core.awaitViewer();
  }

  /** Called when the media element was told to play. */
  playRequested(): void {
    if (this.#viewerBegins) this.core.playbackRequested();
  }

  /** Records that a segment is requested from `url`. */
  requested(url: string, decision: Decision): Download {
    if (decision.pace_reason === 'rtp-refused')
      this.#context.warnings.warn('rtp-refused', `${getOrigin(url)} refuses requests with rtp`);
    this.#context.emitter.emit('request', decision);
    return { decision, url, since: performance.now(), playhead: this.#context.readPlayhead() };
  }

  /** Returns the time without new bytes after which a download is given up, ms. It is infinite for unpaced downloads. */
  patience({ decision, url }: Download, hasBegun: boolean): number {
    if (decision.requested_kbps === null) return Infinity;
    return this.core.getConsent(getOrigin(url)).firstByteTimeout(decision.buffer_s as Seconds, hasBegun);
  }

  /** Records that a download has ended. Returns whether to repeat it at once, without a pace. */
  ended({ decision, url, since, playhead }: Download, end: DownloadEnd): boolean {
    if (this.#hasEnded) return false;
    const { warnings, emitter, readPlayhead } = this.#context;
    const { status, size_bytes, aborted, header } = end;
    const now = performance.now();
    const origin = getOrigin(url);
    const timing = findTiming(url, since, size_bytes);
    const sent = timing?.startTime ?? since;
    const ended = timing?.responseEnd ?? now;
    const isGood = status >= 200 && status < 300 && !aborted;
    // A firewall may send an empty body or an HTML page.
    const isVoid =
      decision.requested_kbps !== null &&
      (size_bytes === 0 || !!header('content-type')?.startsWith('text/html'));
    const completed = this.core.complete(decision, {
      ...{ status, size_bytes, origin },
      outcome: isGood && !isVoid ? 'completed' : aborted ? 'abandoned' : 'failed',
      // A page that is busy or in the background sees the end of a response later than the browser.
      download_ms: (ended > sent ? Math.min(now, ended) : now) - sent,
      waited_ms: Math.max(0, sent - since),
      advanced_s: (readPlayhead() ?? NaN) - (playhead ?? NaN),
      receipt: parseReceipt(header),
      answered_by: getOrigin(end.url ?? url),
      from_cache: isFromCache(timing),
    });
    addLatest(this.decisions, completed);
    if (completed.pacing_honored === 'no')
      warnings.warn('pacing-not-honored', 'the server does not pace; Sammy still asks');
    emitter.emit('decision', completed);
    const isRefused = completed.outcome === 'failed' && completed.requested_kbps !== null;
    return isRefused && this.core.getConsent(origin).shouldRetryWithoutRtp;
  }

  /** Called with a response that is no segment: its receipt describes the connection. A cached one describes an old connection. */
  responded(
    url: string,
    since: number,
    { size_bytes, header }: Pick<DownloadEnd, 'size_bytes' | 'header'>,
  ): void {
    const receipt = parseReceipt(header);
    if (Object.keys(receipt).length > 0 && !isFromCache(findTiming(url, since, size_bytes)))
      this.core.recordReceipt(receipt, getOrigin(url));
  }
}

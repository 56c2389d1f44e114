import type { Decision, PaceReason } from '../decision.ts';
import type { MediaType } from '../film/media-type.ts';
import { milliseconds, type Milliseconds, type Seconds } from '../units.ts';
import type { Transfer } from './transfer.ts';

/** A request for a media segment. */
type PacedRequest = Pick<Decision, 'media_type' | 'requested_kbps'>;

/** The end of a request, or of one attempt. */
type Answer = Pick<Transfer, 'outcome' | 'size_bytes' | 'status'> &
  Partial<Pick<Transfer, 'receipt' | 'download_ms'>>;

/** Status of a request that was canceled because no bytes arrived (RFC 9110 §15.5.9). A network error has status 0. */
export const TIMEOUT_STATUS = 408;

/** Bounds of the timeout for the first byte of a response to a request with `rtp`, ms. */
const LONGEST_WAIT_MS = milliseconds(4000);
const SHORTEST_WAIT_MS = 500;

/**
 * Points of evidence that show that an origin refuses `rtp`. An origin that has never answered a request with `rtp` starts
 * with one point.
 */
const REFUSAL_EVIDENCE = 3;

/**
 * Whether an origin answers requests with `rtp`. Some do not: the signature of a URL may include its query, a firewall may
 * block CMCD, a CDN may reject the preflight that a header needs. The first request with `rtp` is sent alone, as a test:
 *
 *     untried ── answered with rtp ──▶ given
 *     either ─── failed with rtp ───▶ doubted ── answered without rtp ──▶ refused, or without enough evidence: untried
 *                                            └── failed without rtp: failing ── any answer ──▶ untried
 *
 * A failure that also happens without `rtp` (a missing segment, a server that is down) is not a refusal. Neither is a failure
 * with a receipt, which means that an edge of this project answered. A segment that does not exist yet, or a server that is
 * briefly down, causes a temporary failure: the first one is retried unchanged, whenever the player repeats the request.
 * Other errors with a status are proof. Without a response, the network may have changed, which rarely affects several
 * consecutive requests with `rtp`. That is one point of evidence, and two if the request without `rtp` was answered in less
 * time than the failed one had waited.
 */
export class Consent {
  #state: 'untried' | 'given' | 'doubted' | 'failing' | 'refused';
  /** Media type of the first request with `rtp`, or of the latest one that failed and is repeated without `rtp`. */
  #first: MediaType | undefined;
  #hasExcused = false;
  #evidence = 1;
  /** Time after which the failed request was canceled without a byte, ms; 0 if it failed in another way. */
  #waited_ms = 0;

  /** Starts from what is known before the first request. */
  constructor(known: 'untried' | 'given' | 'refused') {
    this.#state = known;
  }

  /**
   * The number of retries after which a segment has been requested without `rtp`; 0 if no request has `rtp`. Fewer for an
   * origin that has answered such requests, where each retry delays the player's move to another origin.
   */
  get retries(): number {
    return this.#state === 'refused' ? 0 : this.#state === 'given' ? 1 : 2;
  }

  /**
   * Returns why the next request must not have `rtp`, or undefined if it may have `rtp`. Only a media segment may be the
   * first request with `rtp`.
   */
  reasonAgainstRtp(mediaType: MediaType, isSegment: boolean): PaceReason | undefined {
    if (this.#state === 'given') return undefined;
    if (this.#state === 'refused') return 'rtp-refused';
    if (this.#state !== 'untried' || !isSegment) return 'rtp-untried';
    this.#first ??= mediaType;
    return this.#first === mediaType ? undefined : 'rtp-untried';
  }

  /** Whether to repeat a failed request immediately, without a pace. */
  get shouldRetryWithoutRtp(): boolean {
    return this.#state !== 'untried' && this.#state !== 'given';
  }

  /**
   * Returns the time without any bytes after which a request with `rtp` counts as failed: half of the buffer level, because
   * the other half is for the same request without `rtp`, and less after earlier failures.
   */
  firstByteTimeout(buffer: Seconds, hasBegun: boolean): Milliseconds {
    // After a pause in the middle of a response, the network continues it sooner than it would start a new response.
    const half_ms = hasBegun && !this.#evidence ? LONGEST_WAIT_MS : (buffer * 500) / (this.#evidence || 1);
    return milliseconds(Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, half_ms)));
  }

  /**
   * Whether a request with `rtp` may have failed for a temporary reason, judging by its status. True once until a request is
   * answered.
   */
  excuseTemporaryFailure(status?: number): boolean {
    const isExcused = !this.#hasExcused && isTemporaryFailure(status);
    this.#hasExcused ||= isExcused;
    return isExcused;
  }

  /** Learns from the end of a request. Returns whether it shows that the origin refuses `rtp`. */
  learnFrom(
    { media_type, requested_kbps }: PacedRequest,
    { outcome, size_bytes, status, receipt = {}, download_ms = 0 }: Answer,
  ): boolean {
    // The request was canceled without an answer, for example after a seek: any media type may ask next.
    if (outcome === 'abandoned' && size_bytes === 0) {
      if (this.#state === 'untried') this.#first = undefined;
      return false;
    }
    const came = outcome !== 'failed';
    const before = this.#state;
    if (requested_kbps !== null) {
      if (before === 'refused') return false;
      // A download that was abandoned as slow may have stalled because of `rtp`.
      if (outcome === 'completed' || Object.keys(receipt).length > 0) {
        this.#state = 'given';
        this.#evidence = 0;
        this.#hasExcused = false;
      } else if ((before === 'untried' || before === 'given') && !this.excuseTemporaryFailure(status)) {
        this.#state = 'doubted';
        this.#first = media_type;
        this.#waited_ms = status === TIMEOUT_STATUS ? download_ms : 0;
        this.#evidence +=
          status && status !== TIMEOUT_STATUS && !isTemporaryFailure(status) ? REFUSAL_EVIDENCE : 1;
      }
    } else if (media_type === this.#first) {
      if (before === 'doubted') {
        if (came && download_ms < this.#waited_ms) this.#evidence++;
        this.#state = came ? (this.#evidence >= REFUSAL_EVIDENCE ? 'refused' : 'untried') : 'failing';
        if (!came) this.#evidence = 1;
      }
      if (before === 'failing' && came) this.#state = 'untried';
      // Audio follows the video's pace, so it would not ask again by itself.
      if (this.#state === 'untried' && before !== 'untried') this.#first = undefined;
    }
    return before === 'doubted' && this.#state === 'refused';
  }
}

/** Whether an error is likely to be temporary: a segment that does not exist yet, or a server that is down for a moment. */
const isTemporaryFailure = (status = 0): boolean => status === 404 || status >= 500;

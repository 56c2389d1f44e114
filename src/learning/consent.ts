import type { Decision, PaceReason } from '../decision.ts';
import type { MediaType } from '../film/media-type.ts';
import { milliseconds, type Milliseconds, type Seconds } from '../units.ts';
import type { Transfer } from './transfer.ts';

/** A request for a media segment. */
type PacedRequest = Pick<Decision, 'media_type' | 'requested_kbps'>;

/** The end of a request, or of one attempt. */
type Answer = Pick<Transfer, 'outcome' | 'status'> & Partial<Pick<Transfer, 'receipt'>>;

/**
 * The status that stands for a request that was canceled because no bytes arrived (RFC 9110 §15.5.9). A network error
 * has status 0.
 */
export const TIMEOUT_STATUS = 408;

/** The maximum of the timeout for the first byte of a response to a request with `rtp`. */
const LONGEST_WAIT_MS = milliseconds(4000);
/** The minimum of this timeout. */
const SHORTEST_WAIT_MS = 500;

/**
 * Points of evidence after which an origin counts as refusing `rtp`. An origin that has never answered a request with
 * `rtp` starts with one point.
 */
const REFUSAL_EVIDENCE = 3;

/**
 * Learns whether an origin answers requests with `rtp`. Some origins do not: the signature of a URL may include its
 * query, a firewall may block CMCD, or a CDN may reject the preflight that a header needs. The first request with `rtp`
 * is sent alone, as a test:
 *
 *     untried ── answered with rtp ─▶ given
 *     untried or given ── failed with rtp ─▶ doubted ── answered without rtp ─▶ refused, or untried (weak evidence)
 *                                                    └─ failed without rtp: failing ── any answer ─▶ untried
 *
 * A failure that also happens without `rtp` (a missing segment, a server that is down) is not a refusal. A failure with
 * a receipt is not a refusal either, because a receipt means that an edge of this project answered. A segment that does
 * not exist yet, or a server that is briefly down or limits the rate of requests, causes a temporary failure: the first
 * such request is repeated with `rtp` whenever the player retries. Any other error status proves a refusal. Without a
 * response, the cause may be a change of network or a slow answer, which rarely affects several consecutive requests with
 * `rtp`: such a failure is one point of evidence. A request that the player canceled, for example after a seek, shows
 * nothing.
 */
export class Consent {
  #state: 'untried' | 'given' | 'doubted' | 'failing' | 'refused';
  /** Media type of the first request with `rtp`, or of the latest failed request that is repeated without `rtp`. */
  #first: MediaType | undefined;
  #hasExcused = false;
  #evidence = 1;

  /** `known`: what is known about the origin before the first request. */
  constructor(known: 'untried' | 'given' | 'refused') {
    this.#state = known;
  }

  /**
   * The number of retries that a segment needs so that one attempt is without `rtp`; 0 if no request has `rtp`. An
   * origin that has answered requests with `rtp` gets one retry, because each retry delays the player's switch to
   * another origin.
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
   * Returns the time without any bytes after which a request with `rtp` counts as failed: half of the time for which the
   * buffer lasts, or less after earlier failures. The rest is left for the repeated request without `rtp`.
   */
  firstByteTimeout(lasting: Seconds, hasBegun: boolean): Milliseconds {
    // A response that has begun gets the longest timeout, because waiting for it is usually faster than a new request.
    const half_ms = hasBegun && !this.#evidence ? LONGEST_WAIT_MS : (lasting * 500) / (this.#evidence || 1);
    return milliseconds(Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, half_ms)));
  }

  /**
   * Whether to treat the failure of a request with `rtp` as temporary, judging by its status. Returns true once, and
   * then false until a request with `rtp` is answered.
   */
  excuseTemporaryFailure(status?: number): boolean {
    const isExcused = !this.#hasExcused && isTemporaryFailure(status);
    this.#hasExcused ||= isExcused;
    return isExcused;
  }

  /** Learns from the end of a request. Returns true if this request proves that the origin refuses `rtp`. */
  learnFrom(
    { media_type, requested_kbps }: PacedRequest,
    { outcome, status, receipt = {} }: Answer,
  ): boolean {
    const isRepetition = media_type === this.#first && this.shouldRetryWithoutRtp;
    if (this.#state === 'refused') return false;
    if (requested_kbps !== null) {
      // The player may have canceled a download because it stalled, so only a receipt or all bytes show consent.
      if (outcome === 'completed' || Object.keys(receipt).length > 0) {
        this.#state = 'given';
        this.#evidence = 0;
        this.#hasExcused = false;
      } else if (outcome === 'abandoned') {
        // The next request with `rtp` may be of any media type.
        if (this.#state === 'untried') this.#first = undefined;
      } else if (!this.shouldRetryWithoutRtp && !this.excuseTemporaryFailure(status)) {
        this.#state = 'doubted';
        this.#first = media_type;
        this.#evidence +=
          status && status !== TIMEOUT_STATUS && !isTemporaryFailure(status) ? REFUSAL_EVIDENCE : 1;
      }
    } else if (isRepetition && outcome === 'completed') {
      // The next request with `rtp` may be of any media type, because audio may have no pace yet: it gets one only after
      // video.
      this.#first = undefined;
      this.#state = this.#evidence >= REFUSAL_EVIDENCE ? 'refused' : 'untried';
      return this.#state === 'refused';
    } else if (isRepetition && outcome === 'failed') {
      // The request without `rtp` has failed too, so the first failure is no evidence against `rtp`.
      this.#state = 'failing';
      this.#evidence = 1;
    }
    return false;
  }
}

/**
 * Whether an error is probably temporary: a segment that does not exist yet, too many requests, or a server that is down
 * for a moment.
 */
const isTemporaryFailure = (status = 0): boolean => status === 404 || status === 429 || status >= 500;

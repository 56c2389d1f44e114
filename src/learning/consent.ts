import type { Decision, PaceReason } from '../decision.ts';
import type { MediaType } from '../film/media-type.ts';
import { milliseconds, type Milliseconds, type Seconds } from '../units.ts';
import type { Transfer } from './transfer.ts';

/** A request for a media segment. */
type PacedRequest = Pick<Decision, 'media_type' | 'requested_kbps'>;

/** The end of a request, or of one attempt. */
type Answer = Pick<Transfer, 'outcome' | 'size_bytes' | 'status'> &
  Partial<Pick<Transfer, 'receipt' | 'download_ms'>>;

/** Status of a request that was given up because no bytes arrived (RFC 9110 §15.5.9). A network error has status 0. */
export const NOTHING_CAME = 408;

/** The longest and the shortest wait for an answer to a request that asks, ms. Ours. */
const LONGEST_WAIT_MS = milliseconds(4000);
const SHORTEST_WAIT_MS = 500;

/**
 * Points of evidence that show that an origin refuses `rtp`. An origin that has never answered a request with `rtp` starts
 * with one point. Ours.
 */
const ENOUGH = 3;

/**
 * Whether an origin answers requests that ask for a pace. Some do not: a signed URL may cover its query, a firewall may know
 * no CMCD and drop what has it, a CDN may refuse the preflight that a header needs. The first request that asks finds out, alone:
 *
 *     untried ── asked, and it came ──▶ given
 *     either ─── asked, and it failed ──▶ doubted ── the same without came ──▶ refused, or without enough evidence: untried
 *                                            └───── the same failed too: failing ── one came ──▶ untried
 *
 * What fails without asking too (a missing segment, a server that is down) was not refused for that. Nor was what fails with a
 * receipt, which an edge of ours has sent. And a segment that is not there yet, or a server that is down for a moment, may pass:
 * the first such failure is asked for again as it was, whenever the player repeats it. An error that the page can read is
 * proof. Without a response the network may have changed, which several requests that ask one after the other do not meet:
 * that is one point of evidence, and two where the same without came in less time than was waited in vain.
 */
export class Consent {
  #state: 'untried' | 'given' | 'doubted' | 'failing' | 'refused';
  /** Media type of the first request with `rtp`, or of the latest one that failed and is repeated without. */
  #first: MediaType | undefined;
  #hasExcused = false;
  #evidence = 1;
  /** Time after which the failed request was given up without a byte, ms; 0 if it failed in another way. */
  #waited_ms = 0;

  /** Starts from what is known before the first request. */
  constructor(known: 'untried' | 'given' | 'refused') {
    this.#state = known;
  }

  /**
   * The number of retries after which a segment has been requested without `rtp`: 0 if no request asks for a pace. Fewer for an
   * origin that has answered such requests, where each delays the player's move to another origin.
   */
  get retries(): number {
    return this.#state === 'refused' ? 0 : this.#state === 'given' ? 1 : 2;
  }

  /** Returns why the next request must not ask for a pace, or undefined if it may. Only a media segment may ask first. */
  ask(mediaType: MediaType, isSegment: boolean): PaceReason | undefined {
    if (this.#state === 'given') return undefined;
    if (this.#state === 'refused') return 'rtp-refused';
    if (this.#state !== 'untried' || !isSegment) return 'rtp-untried';
    this.#first ??= mediaType;
    return this.#first === mediaType ? undefined : 'rtp-untried';
  }

  /** Whether to repeat a failed request at once, without a pace. */
  get isDoubted(): boolean {
    return this.#state !== 'untried' && this.#state !== 'given';
  }

  /**
   * Returns how long a request that asks for a pace may bring no bytes before it counts as failed: half of the buffer, since
   * the other half is for the same request without a pace, and less after earlier failures.
   */
  patience(buffer: Seconds, hasBegun: boolean): Milliseconds {
    // After a pause in the middle of a response, the network continues it sooner than it would start a new one.
    const half_ms = hasBegun && !this.#evidence ? LONGEST_WAIT_MS : (buffer * 500) / (this.#evidence || 1);
    return milliseconds(Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, half_ms)));
  }

  /** Whether a request that asked for a pace may have failed for another reason, by its status. True once until a request is answered. */
  excuses(status?: number): boolean {
    const isExcused = !this.#hasExcused && mayPass(status);
    this.#hasExcused ||= isExcused;
    return isExcused;
  }

  /** Learns from the end of a request. Returns whether it shows that the origin refuses `rtp`. */
  ended(
    { media_type, requested_kbps }: PacedRequest,
    { outcome, size_bytes, status, receipt = {}, download_ms = 0 }: Answer,
  ): boolean {
    // No answer: the viewer has sought to another position, for example.
    if (outcome === 'abandoned' && size_bytes === 0) return false;
    const came = outcome !== 'failed';
    const before = this.#state;
    if (requested_kbps !== null) {
      if (before === 'refused') return false;
      // A download that was abandoned as slow may have stalled because of `rtp`.
      if (outcome === 'completed' || Object.keys(receipt).length > 0) {
        this.#state = 'given';
        this.#evidence = 0;
        this.#hasExcused = false;
      } else if ((before === 'untried' || before === 'given') && !this.excuses(status)) {
        this.#state = 'doubted';
        this.#first = media_type;
        this.#waited_ms = status === NOTHING_CAME ? download_ms : 0;
        this.#evidence += status && status !== NOTHING_CAME && !mayPass(status) ? ENOUGH : 1;
      }
    } else if (media_type === this.#first) {
      if (before === 'doubted') {
        if (came && download_ms < this.#waited_ms) this.#evidence++;
        this.#state = came ? (this.#evidence >= ENOUGH ? 'refused' : 'untried') : 'failing';
        if (!came) this.#evidence = 1;
      }
      if (before === 'failing' && came) this.#state = 'untried';
    }
    return before === 'doubted' && this.#state === 'refused';
  }
}

/** Whether an error is likely to be temporary: a segment that does not exist yet, or a server that is down for a moment. */
const mayPass = (status = 0): boolean => status === 404 || status >= 500;

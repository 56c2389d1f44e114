import type { Decision, PaceReason } from '../decision.ts';
import type { MediaType } from '../film/media-type.ts';
import type { Transfer } from './transfer.ts';

/** A request for a media segment. */
type PacedRequest = Pick<Decision, 'media_type' | 'requested_kbps'>;

/** How it ended, or an attempt at it. */
type Answer = Pick<Transfer, 'outcome' | 'size_bytes' | 'status'> & Partial<Pick<Transfer, 'receipt'>>;

/**
 * Whether an origin answers requests that ask for a pace. Some do not: a signed URL may cover its query, a firewall may know
 * no CMCD, a CDN may refuse the preflight that a header needs. The first request that asks finds out, alone:
 *
 *     untried ── asked, and it came ──▶ given
 *        └────── asked, and it failed ──▶ doubted ── the same without came ──▶ refused, or the first time without a response: untried
 *                                            └───── the same failed too: failing ── one came ──▶ untried
 *
 * What fails without asking too (a missing segment, a server that is down) was not refused for that. Nor was what fails with a
 * receipt, which an edge of ours has sent. And a segment that is not there yet, or a server that is down for a moment, may pass:
 * the first such failure is asked for again as it was, whenever the player repeats it. Without a response a preflight may have
 * been refused, or the network has changed, which two requests that ask one after the other do not meet.
 */
export class Consent {
  #state: 'untried' | 'given' | 'doubted' | 'failing' | 'refused';
  /** What asked first, and is asked for again without a pace if that fails. */
  #first: MediaType | undefined;
  #hasExcused = false;
  /** The last that asked had no response, and the one before it had one. */
  #mayPass = false;

  /** What is known before the first request. */
  constructor(known: 'untried' | 'given' | 'refused') {
    this.#state = known;
  }

  /** Whether it is known. */
  get isSettled(): boolean {
    return this.#state === 'given' || this.#state === 'refused';
  }

  /** Whether the end of each attempt at a request tells something. */
  get isOpen(): boolean {
    return this.#first !== undefined && !this.isSettled;
  }

  /** The next request would ask. Returns why it is not to; undefined if it may. The first that does is a media segment's. */
  ask(mediaType: MediaType, isSegment: boolean): PaceReason | undefined {
    if (this.#state === 'given') return undefined;
    if (this.#state === 'refused') return 'rtp-refused';
    if (this.#state !== 'untried' || !isSegment) return 'rtp-untried';
    this.#first ??= mediaType;
    return this.#first === mediaType ? undefined : 'rtp-untried';
  }

  /** Whether a failed request is to be repeated at once, without a pace. */
  get isDoubted(): boolean {
    return this.#state === 'doubted';
  }

  /** Whether a request that asked may have failed for another reason, as far as its status tells. The second one has not. */
  excuses(status = 0): boolean {
    const isExcused = this.#state === 'untried' && !this.#hasExcused && (status === 404 || status >= 500);
    this.#hasExcused ||= isExcused;
    return isExcused;
  }

  /** Returns whether this was the answer that tells that the origin refuses. */
  ended(
    { media_type, requested_kbps }: PacedRequest,
    { outcome, size_bytes, status, receipt = {} }: Answer,
  ): boolean {
    // The viewer has sought elsewhere, say: that is no answer.
    if (outcome === 'abandoned' && size_bytes === 0) return false;
    const came = outcome !== 'failed';
    const before = this.#state;
    if (requested_kbps !== null) {
      if (came || Object.keys(receipt).length > 0) this.#state = 'given';
      else if (before === 'untried' && !this.excuses(status)) {
        this.#state = 'doubted';
        this.#mayPass = !status && !this.#mayPass;
      }
    } else if (media_type === this.#first) {
      if (before === 'doubted') this.#state = came ? (this.#mayPass ? 'untried' : 'refused') : 'failing';
      if (before === 'failing' && came) this.#state = 'untried';
    }
    return before === 'doubted' && this.#state === 'refused';
  }

  /** Whether a request is the first that asks. */
  isTrial({ requested_kbps }: Pick<PacedRequest, 'requested_kbps'>): boolean {
    return requested_kbps !== null && this.#state !== 'given';
  }
}

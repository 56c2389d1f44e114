import type { Decision, PaceReason } from '../decision.ts';
import type { MediaType } from '../film/media-type.ts';
import { milliseconds, type Milliseconds, type Seconds } from '../units.ts';
import type { Transfer } from './transfer.ts';

/** A request for a media segment. */
type PacedRequest = Pick<Decision, 'media_type' | 'requested_kbps'>;

/** How it ended, or an attempt at it. */
type Answer = Pick<Transfer, 'outcome' | 'size_bytes' | 'status'> &
  Partial<Pick<Transfer, 'receipt' | 'download_ms'>>;

/** The status of a request that was given up because nothing came (RFC 9110 §15.5.9). 0 is a network that has failed. */
export const NOTHING_CAME = 408;

/** The longest and the shortest wait for an answer to a request that asks, ms. Ours. */
const LONGEST_WAIT_MS = milliseconds(4000);
const SHORTEST_WAIT_MS = 500;

/** Points of evidence that an origin refuses. One that has never answered a request that asks has the first one from the start. Ours. */
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
  /** What asks first, or was doubted by, and is then asked for again without a pace. */
  #first: MediaType | undefined;
  #hasExcused = false;
  #evidence = 1;
  /** How long the request that was doubted by was waited for, ms; 0 unless nothing came of it. */
  #waited_ms = 0;

  /** What is known before the first request. */
  constructor(known: 'untried' | 'given' | 'refused') {
    this.#state = known;
  }

  /** Whether it is never asked. */
  get isRefused(): boolean {
    return this.#state === 'refused';
  }

  /** The next request would ask. Returns why it is not to; undefined if it may. The first that does is a media segment's. */
  ask(mediaType: MediaType, isSegment: boolean): PaceReason | undefined {
    if (this.#state === 'given') return undefined;
    if (this.#state === 'refused') return 'rtp-refused';
    if (this.#state !== 'untried' || !isSegment) return 'rtp-untried';
    this.#first ??= mediaType;
    return this.#first === mediaType ? undefined : 'rtp-untried';
  }

  /** Whether a failed request that asked is to be repeated at once, without a pace. */
  get isDoubted(): boolean {
    return this.#state !== 'untried' && this.#state !== 'given';
  }

  /**
   * How long to wait for the first bytes of a request that asks, and for more of them, before it counts as failed: half of
   * the buffer, since the other half is to be enough for the same without, and less when that has happened before.
   */
  patience(buffer: Seconds, hasBegun: boolean): Milliseconds {
    // A network that pauses in the middle of a response goes on with it sooner than with a new one.
    const half_ms = hasBegun && !this.#evidence ? LONGEST_WAIT_MS : (buffer * 500) / (this.#evidence || 1);
    return milliseconds(Math.min(LONGEST_WAIT_MS, Math.max(SHORTEST_WAIT_MS, half_ms)));
  }

  /** Whether a request that asked may have failed for another reason, as far as its status tells. The second one has not. */
  excuses(status?: number): boolean {
    const isExcused = !this.#hasExcused && mayPass(status);
    this.#hasExcused ||= isExcused;
    return isExcused;
  }

  /** Returns whether this was the answer that tells that the origin refuses. */
  ended(
    { media_type, requested_kbps }: PacedRequest,
    { outcome, size_bytes, status, receipt = {}, download_ms = 0 }: Answer,
  ): boolean {
    // The viewer has sought elsewhere, say: that is no answer.
    if (outcome === 'abandoned' && size_bytes === 0) return false;
    const came = outcome !== 'failed';
    const before = this.#state;
    if (requested_kbps !== null) {
      if (before === 'refused') return false;
      // What was given up for being slow may have stopped.
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

/** Whether an error is likely to pass: a segment that is not there yet, or a server that is down for a moment. */
const mayPass = (status = 0): boolean => status === 404 || status >= 500;

import { milliseconds, type Milliseconds } from '../units.ts';

/** The minimum duration of a rebuffer: a stall after playback has begun that no seek caused. */
export const REBUFFER_FROM_MS = milliseconds(100);

/** Distinguishes rebuffers from the short waits that occur in every media element. */
export class StallDetector {
  #started = false;
  #seeking = false;
  #waitingSince: Milliseconds | undefined;
  #playingSince = milliseconds(Infinity);

  /** Call it when playback continues. Returns the length of the rebuffer that ends, or undefined. */
  playing(now: Milliseconds): Milliseconds | undefined {
    this.#started = true;
    this.#seeking = false;
    this.#playingSince = now;
    return this.paused(now);
  }

  waiting(now: Milliseconds): void {
    if (this.#started && !this.#seeking) this.#waitingSince ??= now;
  }

  /** Call it when playback is paused, which ends a rebuffer. Returns the rebuffer's length, or undefined. */
  paused(now: Milliseconds): Milliseconds | undefined {
    const stall = this.stalledFor(now);
    this.#waitingSince = undefined;
    return stall;
  }

  /**
   * Call it at a seek, which ends a rebuffer. Returns the rebuffer's length, or undefined. A wait after the seek is not
   * a rebuffer.
   */
  seeking(now: Milliseconds): Milliseconds | undefined {
    this.#seeking = true;
    return this.paused(now);
  }

  /** Whether playback has continued since `from` without a stall or a pause. */
  playsSince(from: number): boolean {
    return this.#waitingSince === undefined && this.#playingSince <= from;
  }

  /** The length of the current rebuffer so far; undefined when there is none. */
  stalledFor(now: Milliseconds): Milliseconds | undefined {
    if (this.#waitingSince === undefined) return undefined;
    const stalled = milliseconds(now - this.#waitingSince);
    return stalled >= REBUFFER_FROM_MS ? stalled : undefined;
  }
}

import { milliseconds, type Milliseconds } from '../units.ts';

/** A rebuffer is a stall of at least this long after playback began that no seek caused. */
export const REBUFFER_FROM_MS = milliseconds(100);

/** Distinguishes rebuffers from the short waits that occur in every media element. */
export class StallDetector {
  #started = false;
  #seeking = false;
  #waitingSince: Milliseconds | undefined;
  #playingSince = milliseconds(Infinity);

  /** Playback continues. Returns the length of the rebuffer that this ends, or undefined. */
  playing(now: Milliseconds): Milliseconds | undefined {
    this.#started = true;
    this.#seeking = false;
    this.#playingSince = now;
    return this.paused(now);
  }

  waiting(now: Milliseconds): void {
    if (this.#started && !this.#seeking) this.#waitingSince ??= now;
  }

  /** Ends a rebuffer while playback is paused. Returns its length, or undefined. */
  paused(now: Milliseconds): Milliseconds | undefined {
    const stall = this.stalledFor(now);
    this.#waitingSince = undefined;
    return stall;
  }

  /** Ends a rebuffer. Later waiting is part of the seek, and not a rebuffer. Returns the length, or undefined. */
  seeking(now: Milliseconds): Milliseconds | undefined {
    this.#seeking = true;
    return this.paused(now);
  }

  /** Whether playback has neither waited nor been resumed since `from`. A pause does not count. */
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

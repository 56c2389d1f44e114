import { milliseconds, type Milliseconds } from '../units.ts';

/** A rebuffer is a stall of at least this long after playback began that no seek caused. */
export const REBUFFER_FROM_MS = milliseconds(100);

/** Tells rebuffers from the short waits that every media element has. */
export class StallDetector {
  #started = false;
  #seeking = false;
  #waitingSince: Milliseconds | undefined;

  /** Playback goes on. Returns the length of the rebuffer that this ends, if there was one. */
  playing(now: Milliseconds): Milliseconds | undefined {
    this.#started = true;
    this.#seeking = false;
    return this.paused(now);
  }

  waiting(now: Milliseconds): void {
    if (this.#started && !this.#seeking) this.#waitingSince ??= now;
  }

  /** Ends a rebuffer without playback going on. Returns its length, as `playing` does. */
  paused(now: Milliseconds): Milliseconds | undefined {
    const stall = this.stalledFor(now);
    this.#waitingSince = undefined;
    return stall;
  }

  /** What is waited for from here on is the seek's. Ends a rebuffer, as `paused` does. */
  seeking(now: Milliseconds): Milliseconds | undefined {
    this.#seeking = true;
    return this.paused(now);
  }

  /** How long the present rebuffer has lasted; undefined when there is none. */
  stalledFor(now: Milliseconds): Milliseconds | undefined {
    if (this.#waitingSince === undefined) return undefined;
    const stalled = milliseconds(now - this.#waitingSince);
    return stalled >= REBUFFER_FROM_MS ? stalled : undefined;
  }
}

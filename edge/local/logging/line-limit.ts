import type { Milliseconds } from '../../../src/units.ts';

export interface LineLimitOptions {
  /** The maximum number of lines at once. */
  readonly burst: number;
  /** The number of lines per second after a burst. */
  readonly perSecond: number;
  readonly now: () => Milliseconds;
}

/** A token bucket for log lines. Counts suppressed lines. */
export class LineLimit {
  #tokens: number;
  #at: number;
  #held = 0;

  constructor(readonly options: LineLimitOptions) {
    this.#tokens = options.burst;
    this.#at = options.now();
  }

  /** Whether another line may be written now. */
  admits(): boolean {
    const { burst, perSecond, now } = this.options;
    const at = now();
    this.#tokens = Math.min(burst, this.#tokens + (Math.max(0, at - this.#at) / 1000) * perSecond);
    this.#at = at;
    if (this.#tokens < 1) {
      this.#held += 1;
      return false;
    }
    this.#tokens -= 1;
    return true;
  }

  /** Returns the number of lines suppressed since the last call. */
  takeHeld(): number {
    const held = this.#held;
    this.#held = 0;
    return held;
  }
}

import type { PageClock } from './page-clock.ts';

/** A clock that shows the machine's time. */
export class RealClock implements PageClock {
  readonly #since_ms = performance.now();

  get now_ms(): number {
    return performance.now() - this.#since_ms;
  }

  at(time_ms: number, action: () => void): () => void {
    const timer = setTimeout(action, Math.max(0, time_ms - this.now_ms));
    return () => clearTimeout(timer);
  }
}

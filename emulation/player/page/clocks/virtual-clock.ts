import { Agenda } from '../../../ground/clock/agenda.ts';
import type { PageClock } from './page-clock.ts';

/** So many events at one time are a mistake of the page, or of what it plays with. */
const MOST_EVENTS = 100_000;

/** Time that passes only from one event to the next. */
export class VirtualClock implements PageClock {
  readonly #agenda = new Agenda<{ action: (() => void) | undefined }>();
  #now_ms = 0;
  #events = 0;

  get now_ms(): number {
    return this.#now_ms;
  }

  at(time_ms: number, action: () => void): () => void {
    const entry: { action: (() => void) | undefined } = { action };
    this.#agenda.add(Math.max(this.#now_ms, time_ms), entry);
    return () => (entry.action = undefined);
  }

  /** When the next thing happens; Infinity if nothing will. */
  get next_ms(): number {
    return this.#agenda.next_ms;
  }

  /** The next thing happens. Throws an Error where time stands still. */
  step(): void {
    const { next_ms } = this.#agenda;
    const { action } = this.#agenda.take();
    this.moveTo(next_ms);
    if (!action) return;
    if (++this.#events > MOST_EVENTS)
      throw new Error(`the page stands still at ${(next_ms / 1000).toFixed(3)} s`);
    action();
  }

  /** Nothing is to happen before. */
  moveTo(time_ms: number): void {
    if (time_ms <= this.#now_ms) return;
    this.#now_ms = time_ms;
    this.#events = 0;
  }
}

import { Agenda } from '../../../ground/clock/agenda.ts';
import type { PageClock } from './page-clock.ts';

/** The limit of events at the same time; more events indicate a bug of the page or its network. */
const MOST_EVENTS = 100_000;

/** A clock whose time passes only from one event to the next. */
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

  /** The time of the next event; Infinity if none is scheduled. */
  get next_ms(): number {
    return this.#agenda.next_ms;
  }

  /** Runs the next event. Throws an Error if too many events have the same time. */
  step(): void {
    const { next_ms } = this.#agenda;
    const { action } = this.#agenda.take();
    this.moveTo(next_ms);
    if (!action) return;
    if (++this.#events > MOST_EVENTS)
      throw new Error(`the page is stuck at ${(next_ms / 1000).toFixed(3)} s`);
    action();
  }

  /** Advances the clock. No event may be due before `time_ms`. */
  moveTo(time_ms: number): void {
    if (time_ms <= this.#now_ms) return;
    this.#now_ms = time_ms;
    this.#events = 0;
  }
}

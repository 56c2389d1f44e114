import type { SenderWorld } from './sender-world.ts';

/**
 * A timer that is postponed far more often than it expires. Postponing does not reschedule its wake-up: it wakes up at
 * the earlier time, and then waits for the remaining time.
 */
export class Deadline {
  /** The time at which it expires; Infinity while it is stopped. */
  #at_ms = Infinity;
  #wake_ms = Infinity;
  readonly #world: Pick<SenderWorld, 'now_ms' | 'at'>;
  readonly #expire: () => void;
  /** Whether it can be moved to an earlier time. Otherwise it never expires before the time of its pending wake-up. */
  readonly #isPunctual: boolean;

  constructor(world: Pick<SenderWorld, 'now_ms' | 'at'>, expire: () => void, isPunctual: boolean) {
    this.#world = world;
    this.#expire = expire;
    this.#isPunctual = isPunctual;
  }

  get at_ms(): number {
    return this.#at_ms;
  }

  set(due_ms: number): void {
    this.#at_ms = due_ms;
    if (this.#isPunctual ? due_ms < this.#wake_ms : this.#wake_ms === Infinity) this.#wake(due_ms);
  }

  stop(): void {
    this.#at_ms = Infinity;
  }

  #wake(due_ms: number): void {
    this.#wake_ms = due_ms;
    this.#world.at(due_ms, () => {
      if (this.#wake_ms !== due_ms) return;
      this.#wake_ms = Infinity;
      if (this.#at_ms === Infinity) return;
      if (this.#world.now_ms() < this.#at_ms) this.#wake(this.#at_ms);
      else this.#expire();
    });
  }
}

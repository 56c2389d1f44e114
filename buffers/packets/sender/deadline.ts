import type { SenderWorld } from './sender-world.ts';

/** A timer that is put off far more often than it expires: it is only woken when it was to expire, and then sees for how long. */
export class Deadline {
  /** Infinite while it is not running. */
  #at_ms = Infinity;
  #wake_ms = Infinity;
  readonly #world: Pick<SenderWorld, 'now_ms' | 'at'>;
  readonly #expire: () => void;
  /** Whether it can also be moved to an earlier time; otherwise it does not expire before its first time. */
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

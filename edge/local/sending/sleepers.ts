import { milliseconds } from '../../../src/units.ts';

/** The unit of sleeping. */
export const STEP_MS = milliseconds(8);

/** The longest sleep. */
export const MOST_STEPS = 50;

/** The number of sleepers that are woken before Node does other work, so that their garbage can be collected. */
const AT_ONCE = 16;

export interface Sleeper {
  wake(): void;
}

/**
 * Wakes many sleepers with one timer, and without an object for each sleep. Each of a thousand paced viewers sleeps
 * several times per second, and objects that live as long as a sleep would not be collected with the young generation.
 * The data structure is a ring of lists: the list at `#now` plus n is woken after n steps.
 */
export class Sleepers {
  readonly #ring: Sleeper[][] = Array.from({ length: MOST_STEPS + 1 }, () => []);
  /** Sleepers to wake now. */
  readonly #awake: Sleeper[] = [];
  #now = 0;
  #count = 0;
  #timer: NodeJS.Timeout | null = null;
  #steppedAt = 0;

  /** Wakes `sleeper` after this many steps, from 1 to MOST_STEPS. */
  add(sleeper: Sleeper, steps: number): void {
    if (this.#timer === null) {
      this.#steppedAt = performance.now();
      this.#timer = setInterval(() => this.#step(), STEP_MS).unref();
    }
    const ahead = Math.min(Math.max(1, steps), MOST_STEPS);
    this.#ring[(this.#now + ahead) % this.#ring.length]?.push(sleeper);
    this.#count += 1;
  }

  /** Processes all steps that are due: more than one if the process was delayed. */
  #step(): void {
    const due = Math.floor((performance.now() - this.#steppedAt) / STEP_MS);
    this.#steppedAt += due * STEP_MS;
    const wasWaking = this.#awake.length > 0;
    for (let step = 0; step < Math.min(due, this.#ring.length); step++) {
      this.#now = (this.#now + 1) % this.#ring.length;
      const list = this.#ring[this.#now] ?? [];
      for (const sleeper of list) this.#awake.push(sleeper);
      list.length = 0;
    }
    if (!wasWaking) this.#wakeSome();
  }

  readonly #wakeSome = (): void => {
    const some = this.#awake.splice(0, AT_ONCE);
    this.#count -= some.length;
    for (const sleeper of some) sleeper.wake();
    if (this.#awake.length > 0) setImmediate(this.#wakeSome);
    else if (this.#count === 0 && this.#timer) {
      clearInterval(this.#timer);
      this.#timer = null;
    }
  };
}

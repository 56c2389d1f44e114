/**
 * Lets few proceed in each turn of the event loop, and the others in the next turns, in order. A turn handles all that the
 * sockets have brought; if that were the first requests of a hundred connections, all responses under way would wait
 * until the last one is answered.
 */
export class FewATurn {
  readonly #waiting: (() => void)[] = [];
  #left: number;
  #isScheduled = false;

  constructor(
    /** How many proceed in a turn. */
    readonly most: number,
  ) {
    this.#left = most;
  }

  /** Resolves when the caller may proceed. */
  next(): Promise<void> {
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      setImmediate(() => this.#nextTurn());
    }
    if (this.#left === 0) return new Promise((resolve) => this.#waiting.push(resolve));
    this.#left -= 1;
    return Promise.resolve();
  }

  #nextTurn(): void {
    const ready = this.#waiting.splice(0, this.most);
    this.#left = this.most - ready.length;
    this.#isScheduled = ready.length > 0;
    if (this.#isScheduled) setImmediate(() => this.#nextTurn());
    for (const proceed of ready) proceed();
  }
}

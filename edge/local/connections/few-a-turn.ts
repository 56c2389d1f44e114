/**
 * Lets few proceed in each turn of the event loop, and the others in the next turns. A turn handles all that the
 * sockets have brought; if that were the first requests of a hundred connections, all responses under way would wait
 * until the last one is answered.
 *
 * Those who wait belong to groups, such as connections. The groups take turns, and one that has just come goes before
 * those that have waited already (the new and the old flows of RFC 8290 §4.2), so that the single request of a client
 * does not wait behind the sixteen of each of a hundred others.
 */
export class FewATurn<Group> {
  /** The groups that have not had a turn since they came, and the others; each with those of it who wait. */
  readonly #new = new Map<Group, (() => void)[]>();
  readonly #old = new Map<Group, (() => void)[]>();
  #left: number;
  #isScheduled = false;

  constructor(
    /** How many proceed in a turn. */
    readonly most: number,
  ) {
    this.#left = most;
  }

  /** Resolves when the caller may proceed. */
  next(group: Group): Promise<void> {
    if (!this.#isScheduled) {
      this.#isScheduled = true;
      setImmediate(() => this.#nextTurn());
    }
    if (this.#left === 0) return new Promise((resolve) => this.#wait(group, resolve));
    this.#left -= 1;
    return Promise.resolve();
  }

  #wait(group: Group, proceed: () => void): void {
    const waiting = this.#new.get(group) ?? this.#old.get(group);
    if (waiting) waiting.push(proceed);
    else this.#new.set(group, [proceed]);
  }

  #nextTurn(): void {
    this.#left = this.most;
    while (this.#left > 0) {
      const proceed = this.#take();
      if (!proceed) break;
      this.#left -= 1;
      proceed();
    }
    this.#isScheduled = this.#left < this.most;
    if (this.#isScheduled) setImmediate(() => this.#nextTurn());
  }

  /** Takes the first of the group whose turn it is. */
  #take(): (() => void) | undefined {
    const groups = this.#new.size > 0 ? this.#new : this.#old;
    for (const [group, waiting] of groups) {
      groups.delete(group);
      const first = waiting.shift();
      if (waiting.length > 0) this.#old.set(group, waiting);
      return first;
    }
    return undefined;
  }
}

/**
 * Lets a few callers proceed in each turn of the event loop, and the others in later turns. A turn handles everything that
 * the sockets have received; if that were the first requests of a hundred connections, all responses in flight would wait
 * until the last one is answered.
 *
 * Callers belong to groups, such as connections. Groups take turns, and a new group goes before those that have already
 * waited (the new and the old flows of RFC 8290 §4.2), so that the single request of one client does not wait behind sixteen
 * requests from each of a hundred others.
 */
export class TurnQueue<Group> {
  /** Groups that have not had a turn since they arrived, and the others; each with its waiting callers. */
  readonly #new = new Map<Group, (() => void)[]>();
  readonly #old = new Map<Group, (() => void)[]>();
  #left: number;
  #isScheduled = false;

  constructor(
    /** The number of callers that proceed per turn. */
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

  /** Removes the first caller of the group whose turn comes next. */
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

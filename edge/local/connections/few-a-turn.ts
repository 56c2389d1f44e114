/**
 * Lets a few callers proceed in each turn of the event loop, and the others in later turns. Without it, a single turn
 * would handle everything that the sockets have received: if a hundred connections send requests at once, all responses
 * in flight would wait until the last of these requests is handled.
 *
 * Callers belong to groups, such as connections. Groups take turns. A new group precedes the groups that have already
 * had a turn (the new and old flows of RFC 8290 §4.2), so that a client's single request does not wait behind sixteen
 * requests from each of a hundred other clients.
 */
export class TurnQueue<Group> {
  /** The waiting callers of groups that have not had a turn yet (`#new`), and of all other groups (`#old`). */
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

  /** Removes and returns the first caller of the group whose turn is next. */
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

interface Entry<T> {
  readonly at_ms: number;
  /** The insertion order, which orders entries of equal time. */
  readonly order: number;
  readonly what: T;
}

const isBefore = <T>(one: Entry<T>, other: Entry<T>): boolean =>
  one.at_ms < other.at_ms || (one.at_ms === other.at_ms && one.order < other.order);

/**
 * A queue of events ordered by time, and by insertion for equal times. A binary heap, because thousands of packets can
 * be in flight.
 */
export class Agenda<T> {
  readonly #heap: Entry<T>[] = [];
  #order = 0;

  get next_ms(): number {
    return this.#heap[0]?.at_ms ?? Infinity;
  }

  add(at_ms: number, what: T): void {
    const heap = this.#heap;
    const entry = { at_ms, order: this.#order++, what };
    let place = heap.length;
    while (place > 0) {
      const above = (place - 1) >> 1;
      const parent = heap[above];
      if (!parent || !isBefore(entry, parent)) break;
      heap[place] = parent;
      place = above;
    }
    heap[place] = entry;
  }

  take(): T {
    const [first] = this.#heap;
    const last = this.#heap.pop();
    if (!first || !last) throw new Error('the agenda is empty');
    if (this.#heap.length > 0) this.#sink(last);
    return first.what;
  }

  /** Puts an entry in place of the first, which has been removed, and restores the heap order. */
  #sink(entry: Entry<T>): void {
    const heap = this.#heap;
    let place = 0;
    for (;;) {
      let below = 2 * place + 1;
      const left = heap[below];
      const right = heap[below + 1];
      if (!left) break;
      const child = right && isBefore(right, left) ? right : left;
      if (child === right) below++;
      if (!isBefore(child, entry)) break;
      heap[place] = child;
      place = below;
    }
    heap[place] = entry;
  }
}

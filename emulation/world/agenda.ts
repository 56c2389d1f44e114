/** What is to happen, by its time; of two at one time, what was added first. */
export class Agenda<T> {
  /** The latest first, so that the next is taken from the end. */
  readonly #entries: { readonly at_ms: number; readonly what: T }[] = [];

  get next_ms(): number {
    return this.#entries.at(-1)?.at_ms ?? Infinity;
  }

  add(at_ms: number, what: T): void {
    let [low, high] = [0, this.#entries.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#entries[middle]?.at_ms ?? 0) > at_ms) low = middle + 1;
      else high = middle;
    }
    this.#entries.splice(low, 0, { at_ms, what });
  }

  take(): T {
    const entry = this.#entries.pop();
    if (!entry) throw new Error('nothing is to happen');
    return entry.what;
  }
}

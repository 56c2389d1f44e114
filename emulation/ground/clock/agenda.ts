/** What is to happen, by its time; of two at one time, what was added first. */
export class Agenda<T> {
  /** The latest first, so that the next is taken from the end. */
  readonly #entries: { readonly at_ms: number; readonly what: T }[] = [];

  get next_ms(): number {
    return this.#entries.at(-1)?.at_ms ?? Infinity;
  }

  add(at_ms: number, what: T): void {
    const entries = this.#entries;
    const entry = { at_ms, what };
    // What is added is mostly to happen soon, and so has few to pass.
    let place = entries.push(entry) - 1;
    for (let next = entries[place - 1]; next && next.at_ms <= at_ms; next = entries[place - 1]) {
      entries[place] = next;
      place -= 1;
    }
    entries[place] = entry;
  }

  take(): T {
    const entry = this.#entries.pop();
    if (!entry) throw new Error('nothing is to happen');
    return entry.what;
  }
}

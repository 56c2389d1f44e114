/** The maximum of the values of a number of recent rounds. */
export class WindowedMax {
  readonly #rounds: number;
  /** Decreasing: each value is the maximum of its round and all later ones so far. */
  readonly #kept: { readonly round: number; readonly value: number }[] = [];

  constructor(rounds: number) {
    this.#rounds = rounds;
  }

  /** The maximum; 0 if there are no values. */
  get value(): number {
    return this.#kept[0]?.value ?? 0;
  }

  add(round: number, value: number): void {
    const kept = this.#kept;
    while ((kept.at(-1)?.value ?? Infinity) <= value) kept.pop();
    kept.push({ round, value });
    while (round - (kept[0]?.round ?? round) > this.#rounds) kept.shift();
  }
}

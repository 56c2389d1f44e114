/** A weighted mean. It stores only two sums, regardless of the number of values. */
export class Mean {
  #sum = 0;
  #weight = 0;

  /** Adds a value. Undefined is ignored. */
  add(value: number | undefined, weight: number): void {
    if (value === undefined) return;
    this.#sum += value * weight;
    this.#weight += weight;
  }

  get value(): number | null {
    return ratio(this.#sum, this.#weight);
  }
}

/** Returns the quotient, or null if nothing was measured. */
export const ratio = (numerator: number, denominator: number): number | null =>
  denominator > 0 ? numerator / denominator : null;

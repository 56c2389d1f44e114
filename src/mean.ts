/** Σ values and Σ weights of what is averaged: all that an average needs, however long the session. */
export class Mean {
  #sum = 0;
  #weight = 0;

  /** What has no value does not count. */
  add(value: number | undefined, weight: number): void {
    if (value === undefined) return;
    this.#sum += value * weight;
    this.#weight += weight;
  }

  get value(): number | null {
    return ratio(this.#sum, this.#weight);
  }
}

/** Null where nothing was measured. */
export const ratio = (numerator: number, denominator: number): number | null =>
  denominator > 0 ? numerator / denominator : null;

/** Runs a limited number of tasks at once. Further tasks wait in order of arrival. */
export class ConcurrencyLimit {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(readonly most: number) {}

  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.most) this.#running += 1;
    // A task that ends passes its slot on to the task that has waited longest.
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await task();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.#running -= 1;
    }
  }
}

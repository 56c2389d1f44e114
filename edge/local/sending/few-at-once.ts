/** Runs no more than so many tasks at once; the others wait in the order in which they came. */
export class FewAtOnce {
  #running = 0;
  readonly #waiting: (() => void)[] = [];

  constructor(readonly most: number) {}

  async run<Result>(task: () => Promise<Result>): Promise<Result> {
    if (this.#running < this.most) this.#running += 1;
    // Whoever ends hands its place over.
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

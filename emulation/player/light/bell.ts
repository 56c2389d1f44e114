/** Ends a wait early; what rings while nobody waits ends the next wait at once. */
export class Bell {
  #rung = false;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  ring(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** From now on every wait throws the error. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.ring();
  }

  /** Resolves after `most_ms`, or when it rings. */
  async wait(most_ms: number): Promise<void> {
    if (!this.#rung && most_ms > 0)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, most_ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    // Without a wait, too, requests get their turn.
    else await new Promise((resolve) => setImmediate(resolve));
    this.#rung = false;
    this.#wake = undefined;
    if (this.#failure) throw this.#failure;
  }
}

/** A wait that a signal can end early. A signal between two waits ends the next wait at once. */
export class WakeSignal {
  #rung = false;
  #failure: Error | undefined;
  #wake: (() => void) | undefined;

  wake(): void {
    this.#rung = true;
    this.#wake?.();
  }

  /** Makes all later waits throw the error. */
  fail(error: Error): void {
    this.#failure ??= error;
    this.wake();
  }

  /** Resolves after `most_ms`, or on the signal. */
  async wait(most_ms: number): Promise<void> {
    if (!this.#rung && most_ms > 0)
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, most_ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    // Even without a wait, pending I/O must be processed.
    else await new Promise((resolve) => setImmediate(resolve));
    this.#rung = false;
    this.#wake = undefined;
    if (this.#failure) throw this.#failure;
  }
}

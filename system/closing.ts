interface Closable {
  close(): Promise<unknown>;
}

/**
 * Collects the parts that a run has started, and closes each part once, in reverse order, even if closing another part
 * fails.
 */
export class Closing {
  readonly #started: Closable[] = [];
  #over = false;

  /** Registers a part. If closing has begun, throws an Error, and the next `close` closes the part. */
  later<T extends Closable>(started: T): T {
    this.#started.push(started);
    if (this.#over) throw new Error('the run is being ended');
    return started;
  }

  /** Starts an operation. `close` aborts its signal and waits until it has ended. */
  until<T>(begin: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const ending = new AbortController();
    const running = begin(ending.signal);
    this.later({
      close: () => {
        ending.abort();
        return running.catch(() => undefined);
      },
    });
    return running;
  }

  async close(): Promise<void> {
    this.#over = true;
    let started: Closable | undefined;
    while ((started = this.#started.pop())) {
      await started.close().catch((error: unknown) => {
        console.error(`ending a part of a run: ${error instanceof Error ? error.message : String(error)}`);
      });
    }
  }
}

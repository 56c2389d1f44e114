interface Closable {
  close(): Promise<unknown>;
}

/** Keeps what a run has started, and ends it in the opposite order, each part once, also where ending another fails. */
export class Closing {
  readonly #started: Closable[] = [];
  #over = false;

  /** Throws an Error once the ending has begun; a part that is added so late is ended by the next `close`. */
  later<T extends Closable>(started: T): T {
    this.#started.push(started);
    if (this.#over) throw new Error('the run is being ended');
    return started;
  }

  /** Begins something that a signal ends, and whose end `close` waits for. */
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

interface Closable {
  close(): Promise<unknown>;
}

/** What a run has started, to be ended in the opposite order, each once, whatever becomes of the others. */
export class Closing {
  readonly #started: Closable[] = [];
  #over = false;

  /** Throws an Error once the ending has begun; what comes so late is ended by the next `close`. */
  later<T extends Closable>(started: T): T {
    this.#started.push(started);
    if (this.#over) throw new Error('the run is being ended');
    return started;
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

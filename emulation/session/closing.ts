interface Closable {
  close(): Promise<unknown>;
}

/** What a run has started, to be ended in the opposite order, each once, whatever becomes of the others. */
export class Closing {
  readonly #started: Closable[] = [];

  later<T extends Closable>(started: T): T {
    this.#started.push(started);
    return started;
  }

  async close(): Promise<void> {
    let started: Closable | undefined;
    while ((started = this.#started.pop())) {
      await started.close().catch((error: unknown) => {
        console.error(`ending a part of a run: ${error instanceof Error ? error.message : String(error)}`);
      });
    }
  }
}

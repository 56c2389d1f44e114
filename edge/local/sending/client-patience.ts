import type { Milliseconds } from '../../../src/units.ts';

/** The bytes that a client must take within `patience`. */
const ENOUGH_BYTES = 256 * 1024;

/** Adds up the time spent waiting for a client, and gives the client up when it takes too little meanwhile. */
export class ClientPatience {
  #waited = 0;
  #taken = 0;

  constructor(
    readonly patience: Milliseconds,
    readonly gone: AbortSignal,
  ) {}

  /** Counts bytes that the client's kernel has taken, or ours for it. */
  took(bytes: number): void {
    this.#taken += bytes;
    if (this.#taken < ENOUGH_BYTES) return;
    this.#taken = 0;
    this.#waited = 0;
  }

  /** Waits for an action of the client; rejects when the client is gone, or has taken too long altogether. */
  async wait<Result>(happened: Promise<Result>): Promise<Result> {
    const began = performance.now();
    let giveUp = (): void => undefined;
    const givenUp = new Promise<never>((_, reject) => {
      giveUp = () => reject(new Error('the client is gone, or too slow'));
    });
    const timer = setTimeout(giveUp, Math.max(0, this.patience - this.#waited));
    this.gone.addEventListener('abort', giveUp, { once: true });
    if (this.gone.aborted) giveUp();
    try {
      return await Promise.race([happened, givenUp]);
    } finally {
      clearTimeout(timer);
      this.gone.removeEventListener('abort', giveUp);
      this.#waited += performance.now() - began;
    }
  }
}

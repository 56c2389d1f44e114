import type { Milliseconds } from '../../../src/units.ts';

/** The bytes that a client must accept within `patience`. */
const ENOUGH_BYTES = 256 * 1024;

/**
 * Adds up the time spent waiting for a client, and gives up if the client accepts too little in that time. Uses a
 * single timer and a single listener for all waits, because a server waits several times per second for each client.
 */
export class ClientTimeout {
  #waited = 0;
  #taken = 0;
  /** The start time of the current wait. */
  #since = 0;
  /** Rejects the current wait after a timeout; null if there is no wait. */
  #reject: ((error: Error) => void) | null = null;
  #timer: NodeJS.Timeout;
  readonly #onGone = (): void => this.#giveUp();

  constructor(
    readonly patience: Milliseconds,
    readonly gone: AbortSignal,
  ) {
    this.#timer = setTimeout(() => this.#look(), patience);
    gone.addEventListener('abort', this.#onGone, { once: true });
  }

  /** Counts bytes that the client's kernel or this machine's kernel has accepted. */
  took(bytes: number): void {
    this.#taken += bytes;
    if (this.#taken < ENOUGH_BYTES) return;
    this.#taken = 0;
    this.#waited = 0;
    this.#since = performance.now();
  }

  /** Begins to wait for the client. Calls `giveUp` if the client is gone, or has taken too long in total. */
  begin(giveUp: (error: Error) => void): void {
    this.#since = performance.now();
    this.#reject = giveUp;
    if (this.gone.aborted) this.#giveUp();
  }

  /** Ends a wait. Call it when the client has acted. */
  done(): void {
    if (this.#reject === null) return;
    this.#reject = null;
    this.#waited += performance.now() - this.#since;
  }

  /** Waits for an action of the client. Rejects if the client is gone, or has taken too long in total. */
  wait<Result>(happened: Promise<Result>): Promise<Result> {
    return new Promise((resolve, reject) => {
      this.begin(reject);
      happened.finally(() => this.done()).then(resolve, reject);
    });
  }

  /** Ends all waiting. */
  end(): void {
    this.#reject = null;
    clearTimeout(this.#timer);
    this.gone.removeEventListener('abort', this.#onGone);
  }

  #look(): void {
    const present = this.#reject ? performance.now() - this.#since : 0;
    const left = this.patience - this.#waited - present;
    if (left <= 0 && this.#reject) this.#giveUp();
    else this.#timer = setTimeout(() => this.#look(), Math.max(1, Math.ceil(left)));
  }

  #giveUp(): void {
    const reject = this.#reject;
    this.#reject = null;
    reject?.(new Error('the client is gone, or too slow'));
  }
}

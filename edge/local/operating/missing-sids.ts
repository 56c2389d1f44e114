/**
 * The number of requests with a pace after which to warn: far more than a player sends before a CMCD setting takes
 * effect.
 */
const REQUESTS = 20;

/**
 * Warns once if no request with a pace has a session id (`sid`). Experiments and the holdout would then have no
 * sessions, which nothing else would reveal.
 */
export class MissingSids {
  #without = 0;
  #isDecided = false;

  constructor(readonly warn: (line: string) => void) {}

  /** Counts a request with a pace. */
  request(hasSid: boolean): void {
    if (this.#isDecided) return;
    if (!hasSid) this.#without += 1;
    this.#isDecided = hasSid || this.#without === REQUESTS;
    if (this.#without === REQUESTS)
      this.warn(
        `none of the first ${REQUESTS} requests with a pace has a session id (CMCD's sid), so experiments and the holdout have no sessions; players must send it: docs/edge/observe.md`,
      );
  }
}

/** The number of requests with a pace before the warning: far more than a player sends before a CMCD setting applies. */
const REQUESTS = 20;

/**
 * Warns once if no request with a pace has a session id (`sid`): experiments and the holdout then have no sessions, and
 * nothing else would reveal that.
 */
export class MissingSids {
  #without = 0;
  #isDecided = false;

  constructor(readonly warn: (line: string) => void) {}

  /** Counts a request for a pace. */
  request(hasSid: boolean): void {
    if (this.#isDecided) return;
    if (!hasSid) this.#without += 1;
    this.#isDecided = hasSid || this.#without === REQUESTS;
    if (this.#without === REQUESTS)
      this.warn(
        `none of the first ${REQUESTS} requests for a pace has a session id (CMCD's sid), so no experiment and no holdout takes part; players must send it: docs/edge/observe.md`,
      );
  }
}

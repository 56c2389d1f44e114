/** The requests for a pace after which the operator is told: far more than a player sends before a setting of CMCD applies. */
const REQUESTS = 20;

/**
 * Warns once if no request for a pace has a session id (`sid`): then experiments and the holdout have nobody, and nothing else
 * would show it.
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

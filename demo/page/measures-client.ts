import type { Measures } from '../measures/measures.ts';

const POLL_EVERY_MS = 250;

/** Polls the server for measurements, and converts their times to the page's clock. */
export class MeasuresClient {
  readonly #neighbor: () => string;
  readonly #onMeasures: (measures: Measures) => void;
  #next: number | undefined;
  /**
   * The difference between the server's clock and the page's, ms: the maximum over all responses, because the fastest
   * response has the smallest error.
   */
  #ahead_ms = -Infinity;

  /** `neighbor` returns the appetite chosen for the neighbor. */
  constructor(neighbor: () => string, onMeasures: (measures: Measures) => void) {
    this.#neighbor = neighbor;
    this.#onMeasures = onMeasures;
    setInterval(() => void this.#poll(), POLL_EVERY_MS);
  }

  async #poll(): Promise<void> {
    const query = new URLSearchParams({
      neighbor: this.#neighbor(),
      ...(this.#next !== undefined && { since: String(this.#next) }),
    });
    // Ignore failures: if the server is gone, the players report it.
    const answer = await fetch(`/measures.json?${query}`).catch(() => undefined);
    if (!answer?.ok) return;
    const measures = (await answer.json()) as Measures;
    // Ignore an answer that a later one has overtaken.
    if (this.#next !== undefined && measures.next < this.#next) return;
    this.#next = measures.next;
    this.#ahead_ms = Math.max(this.#ahead_ms, measures.now_ms - performance.now());
    this.#onMeasures(inPageTime(measures, this.#ahead_ms));
  }
}

const inPageTime = (measures: Measures, ahead_ms: number): Measures => {
  const period = <Row extends { readonly from_ms: number; readonly to_ms: number }>(row: Row): Row => ({
    ...row,
    from_ms: row.from_ms - ahead_ms,
    to_ms: row.to_ms - ahead_ms,
  });
  return {
    ...measures,
    now_ms: measures.now_ms - ahead_ms,
    traffic: measures.traffic.map(period),
    queue: measures.queue.map((row) => ({ ...row, at_ms: row.at_ms - ahead_ms })),
    responses: measures.responses.map(period),
  };
};

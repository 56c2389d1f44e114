import type { Measures, NeighborRow, QueueRow, TrafficRow } from './measures.ts';

/** The number of rows to keep: about two minutes. A page that has not polled for longer than that misses older rows. */
const KEPT = 3000;

export type Measured =
  | { readonly traffic: TrafficRow }
  | { readonly queue: QueueRow }
  | { readonly response: NeighborRow };

/** Keeps the latest measurements for pages that poll them. */
export class Feed {
  readonly #kept: Measured[] = [];
  #count = 0;

  add(measured: Measured): void {
    this.#kept.push(measured);
    this.#count++;
    if (this.#kept.length > KEPT) this.#kept.shift();
  }

  /**
   * Returns the rows after the first `since` rows. If `since` is missing or unknown, returns no rows, only the position
   * to continue from.
   */
  after(since: number | undefined, now_ms: number): Measures {
    const known = since !== undefined && since >= 0 && since <= this.#count;
    const newer = known ? Math.min(this.#count - since, this.#kept.length) : 0;
    const rows = newer > 0 ? this.#kept.slice(-newer) : [];
    return {
      now_ms,
      next: this.#count,
      traffic: rows.flatMap((row) => ('traffic' in row ? [row.traffic] : [])),
      queue: rows.flatMap((row) => ('queue' in row ? [row.queue] : [])),
      responses: rows.flatMap((row) => ('response' in row ? [row.response] : [])),
    };
  }
}

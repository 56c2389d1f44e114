import type { Measures, NeighborRow, QueueRow, TrafficRow } from './measures.ts';

/** The number of rows kept: about two minutes. A page that has not asked for longer misses the older ones. */
const KEPT = 3000;

export type Measured =
  | { readonly traffic: TrafficRow }
  | { readonly queue: QueueRow }
  | { readonly response: NeighborRow };

/** Keeps the latest measurements for pages that ask now and then. */
export class Feed {
  readonly #kept: Measured[] = [];
  #count = 0;

  add(measured: Measured): void {
    this.#kept.push(measured);
    this.#count++;
    if (this.#kept.length > KEPT) this.#kept.shift();
  }

  /** Returns what came after the first `since` rows; without it, or with an unknown one, only where to continue. */
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

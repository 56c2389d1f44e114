import type { Measures, NeighbourRow, QueueRow } from './measures.ts';

/** A page that has not asked for so long begins anew. */
const KEPT = 3000;

export type Measured = { readonly queue: QueueRow } | { readonly response: NeighbourRow };

/** Keeps what was measured last for pages that ask now and then. */
export class Feed {
  readonly #kept: Measured[] = [];
  #count = 0;

  add(measured: Measured): void {
    this.#kept.push(measured);
    this.#count++;
    if (this.#kept.length > KEPT) this.#kept.shift();
  }

  /** What came after the first `since`; without it, or with one that is not from here, nothing but where to go on. */
  after(since: number | undefined, now_ms: number): Measures {
    const known = since !== undefined && since >= 0 && since <= this.#count;
    const newer = known ? Math.min(this.#count - since, this.#kept.length) : 0;
    const rows = newer > 0 ? this.#kept.slice(-newer) : [];
    return {
      now_ms,
      next: this.#count,
      queue: rows.flatMap((row) => ('queue' in row ? [row.queue] : [])),
      responses: rows.flatMap((row) => ('response' in row ? [row.response] : [])),
    };
  }
}

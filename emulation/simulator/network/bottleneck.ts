import type { Capacity } from './capacity.ts';

/** What became of the packets that came to the bottleneck one after the other. */
export interface Passage {
  /** When the first of them began to be sent, and when the last one had been. */
  readonly begins_ms: number;
  readonly ends_ms: number;
  /** Of the bytes that came, those that found the queue full. */
  readonly dropped_bytes: number;
}

/** A queue that leaves less than this behind is taken for empty: two packets. */
const EMPTY_BYTES = 3008;

/** A link with a drop-tail queue. Whoever comes first is served first, as a fluid: no packet is simulated. */
export class Bottleneck {
  readonly capacity: Capacity;
  readonly #queue_bytes: number;
  /** When all that has come will have been sent. */
  #free_ms = 0;

  constructor(capacity: Capacity, queue_bytes: number) {
    this.capacity = capacity;
    this.#queue_bytes = queue_bytes;
  }

  /** `size` bytes come evenly between `from_ms` and `to_ms`. */
  pass(size: number, from_ms: number, to_ms: number): Passage {
    const { capacity } = this;
    const begins_ms = Math.max(this.#free_ms, from_ms);
    // Nothing of it is sent before it has come.
    let ends_ms = Math.max(to_ms, capacity.carried(begins_ms, size));
    let queued = capacity.between(to_ms, ends_ms);
    let dropped_bytes = 0;
    if (queued > this.#queue_bytes) {
      dropped_bytes = Math.min(size, queued - this.#queue_bytes);
      ends_ms = Math.max(to_ms, capacity.carried(begins_ms, size - dropped_bytes));
      queued -= dropped_bytes;
    }
    if (queued > EMPTY_BYTES) this.#free_ms = ends_ms;
    return { begins_ms, ends_ms, dropped_bytes };
  }

  /** How much waits at a time. */
  queued(at_ms: number): number {
    return this.capacity.between(at_ms, this.#free_ms);
  }
}

import type { Capacity } from './capacity.ts';

/** The result for packets that arrived at the bottleneck one after the other. */
export interface Passage {
  /** The times at which the first of them begins to be sent, and at which the last one has been sent. */
  readonly begins_ms: number;
  readonly ends_ms: number;
  /** The bytes that found the queue full. */
  readonly dropped_bytes: number;
}

/** Bytes that come evenly between two times. */
export interface Spread {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly bytes: number;
}

/** A link with a drop-tail queue, first in, first out. Data are a fluid: single packets are not simulated. */
export class Bottleneck {
  readonly capacity: Capacity;
  readonly #queue_bytes: number;
  /** The time at which all that has arrived will have been sent. */
  #free_ms = 0;
  /** Batches included in `#free_ms` that are still arriving. */
  #spread: Spread[] = [];

  constructor(capacity: Capacity, queue_bytes: number) {
    this.capacity = capacity;
    this.#queue_bytes = queue_bytes;
  }

  /** The same queue, which goes its own way from here on. */
  copy(): Bottleneck {
    const copy = new Bottleneck(this.capacity, this.#queue_bytes);
    copy.#free_ms = this.#free_ms;
    copy.#spread = [...this.#spread];
    return copy;
  }

  /** Whoever sends comes in the order of `from_ms`. */
  pass({ from_ms, to_ms, bytes: size }: Spread): Passage {
    const { capacity } = this;
    // What another sender has announced and not sent yet comes behind this.
    const announced = this.#announcedAt(from_ms);
    const ahead = Math.max(0, capacity.between(from_ms, this.#free_ms) - announced);
    const begins_ms = capacity.carried(from_ms, ahead);
    // Nothing of it is sent before it has come.
    let ends_ms = Math.max(to_ms, capacity.carried(begins_ms, size));
    let queued = capacity.between(to_ms, ends_ms);
    let dropped_bytes = 0;
    if (queued > this.#queue_bytes) {
      dropped_bytes = Math.min(size, queued - this.#queue_bytes);
      ends_ms = Math.max(to_ms, capacity.carried(begins_ms, size - dropped_bytes));
      queued -= dropped_bytes;
    }
    if (announced > 0) this.#free_ms = capacity.carried(this.#free_ms, size - dropped_bytes);
    else if (queued > 0) this.#free_ms = ends_ms;
    if (to_ms > from_ms && queued > 0) this.#spread.push({ from_ms, to_ms, bytes: size - dropped_bytes });
    return { begins_ms, ends_ms, dropped_bytes };
  }

  /** The rest of what has been passed already is not sent after all, from `now_ms` on. */
  withdraw({ from_ms, to_ms, bytes }: Spread, now_ms: number): void {
    const index = this.#spread.findIndex((each) => each.from_ms === from_ms && each.to_ms === to_ms);
    const [kept] = index < 0 ? [] : this.#spread.splice(index, 1);
    if (!kept || now_ms >= to_ms) return;
    // What found the queue full is the end of it.
    const unsent = kept.bytes - Math.min(kept.bytes, (bytes * (now_ms - from_ms)) / (to_ms - from_ms));
    this.#free_ms = this.capacity.carried(now_ms, Math.max(0, this.queued(now_ms) - unsent));
  }

  #announcedAt(time_ms: number): number {
    if (this.#spread.length === 0) return 0;
    this.#spread = this.#spread.filter(({ to_ms }) => to_ms > time_ms);
    return this.#spread.reduce(
      (sum, { from_ms, to_ms, bytes }) =>
        sum + (bytes * (to_ms - Math.max(time_ms, from_ms))) / (to_ms - from_ms),
      0,
    );
  }

  /** The bytes in the queue at a time. */
  queued(at_ms: number): number {
    return this.capacity.between(at_ms, this.#free_ms);
  }

  /** How long a packet waits that comes at a time, ms. */
  delay(at_ms: number): number {
    return Math.max(0, this.#free_ms - at_ms);
  }
}

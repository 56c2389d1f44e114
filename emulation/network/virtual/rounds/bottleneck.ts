import type { Capacity } from './capacity.ts';

/** The result for consecutive packets that arrived at the bottleneck. */
export interface Passage {
  /** The times at which the first packet begins to be sent, and at which the last one has been sent. */
  readonly begins_ms: number;
  readonly ends_ms: number;
  /** The bytes that found the queue full. */
  readonly dropped_bytes: number;
}

/** Bytes that arrive evenly between two times. */
export interface SpreadBytes {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly bytes: number;
}

/** A link with a drop-tail queue, first in, first out. Data are a fluid: single packets are not simulated. */
export class Bottleneck {
  readonly capacity: Capacity;
  readonly #queue_bytes: number;
  /** The time at which all data that have arrived will have been sent. */
  #free_ms = 0;
  /** Batches included in `#free_ms` that are still arriving. */
  #spread: SpreadBytes[] = [];

  constructor(capacity: Capacity, queue_bytes: number) {
    this.capacity = capacity;
    this.#queue_bytes = queue_bytes;
  }

  /** An independent copy of the queue in its present state. */
  copy(): Bottleneck {
    const copy = new Bottleneck(this.capacity, this.#queue_bytes);
    copy.#free_ms = this.#free_ms;
    copy.#spread = [...this.#spread];
    return copy;
  }

  /** Passes a batch. Calls must be in order of `from_ms`, across all senders. */
  pass({ from_ms, to_ms, bytes: size }: SpreadBytes): Passage {
    const { capacity } = this;
    // Bytes that another sender has announced and not sent yet queue behind this batch.
    const announced = this.#announcedAt(from_ms);
    const ahead = Math.max(0, capacity.bytesBetween(from_ms, this.#free_ms) - announced);
    const begins_ms = capacity.timeToCarry(from_ms, ahead);
    // No byte is sent before it has arrived.
    let ends_ms = Math.max(to_ms, capacity.timeToCarry(begins_ms, size));
    let queued = capacity.bytesBetween(to_ms, ends_ms);
    let dropped_bytes = 0;
    if (queued > this.#queue_bytes) {
      dropped_bytes = Math.min(size, queued - this.#queue_bytes);
      ends_ms = Math.max(to_ms, capacity.timeToCarry(begins_ms, size - dropped_bytes));
      queued -= dropped_bytes;
    }
    if (announced > 0) this.#free_ms = capacity.timeToCarry(this.#free_ms, size - dropped_bytes);
    else if (queued > 0) this.#free_ms = ends_ms;
    if (to_ms > from_ms && queued > 0) this.#spread.push({ from_ms, to_ms, bytes: size - dropped_bytes });
    return { begins_ms, ends_ms, dropped_bytes };
  }

  /** Cancels, at `now_ms`, the unsent rest of a batch that has been passed. */
  withdraw({ from_ms, to_ms, bytes }: SpreadBytes, now_ms: number): void {
    const index = this.#spread.findIndex((each) => each.from_ms === from_ms && each.to_ms === to_ms);
    const [kept] = index < 0 ? [] : this.#spread.splice(index, 1);
    if (!kept || now_ms >= to_ms) return;
    // The bytes that found the queue full are the end of the batch.
    const unsent = kept.bytes - Math.min(kept.bytes, (bytes * (now_ms - from_ms)) / (to_ms - from_ms));
    this.#free_ms = this.capacity.timeToCarry(now_ms, Math.max(0, this.queued(now_ms) - unsent));
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
    return this.capacity.bytesBetween(at_ms, this.#free_ms);
  }

  /** The waiting time of a packet that arrives at a time, ms. */
  delay(at_ms: number): number {
    return Math.max(0, this.#free_ms - at_ms);
  }
}

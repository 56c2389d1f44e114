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

/**
 * A link with a drop-tail queue, first in, first out. Data are a fluid: single packets are not simulated. A sender announces a
 * batch when its first byte arrives. The bytes of a batch that are still to come neither wait in the queue nor delay others.
 */
export class Bottleneck {
  readonly capacity: Capacity;
  readonly #queue_bytes: number;
  /** Time of the latest batch. */
  #now_ms = 0;
  /** The bytes in the queue at `#now_ms`. */
  #backlog_bytes = 0;
  /** Batches that are still arriving at `#now_ms`, without the bytes that find the queue full. */
  #arriving: SpreadBytes[] = [];

  constructor(capacity: Capacity, queue_bytes: number) {
    this.capacity = capacity;
    this.#queue_bytes = queue_bytes;
  }

  /** An independent copy of the queue in its present state. */
  copy(): Bottleneck {
    const copy = new Bottleneck(this.capacity, this.#queue_bytes);
    copy.#now_ms = this.#now_ms;
    copy.#backlog_bytes = this.#backlog_bytes;
    copy.#arriving = [...this.#arriving];
    return copy;
  }

  /** Passes a batch. Calls must be in order of `from_ms`, across all senders. */
  pass(batch: SpreadBytes): Passage {
    const { capacity } = this;
    const { from_ms, to_ms, bytes } = batch;
    this.#advance(from_ms);
    const begins_ms = capacity.timeToCarry(from_ms, this.#backlog_bytes);
    const isSpread = to_ms > from_ms;
    if (isSpread) this.#arriving.push(batch);
    else this.#backlog_bytes += bytes;
    let queued_bytes = this.queued(to_ms);
    const dropped_bytes = Math.min(bytes, Math.max(0, queued_bytes - this.#queue_bytes));
    if (dropped_bytes > 0) {
      queued_bytes -= dropped_bytes;
      if (isSpread)
        this.#arriving[this.#arriving.length - 1] = { from_ms, to_ms, bytes: bytes - dropped_bytes };
      else this.#backlog_bytes -= dropped_bytes;
    }
    return { begins_ms, ends_ms: capacity.timeToCarry(to_ms, queued_bytes), dropped_bytes };
  }

  /** Cancels, at `now_ms`, the unsent rest of a batch that has been passed. */
  withdraw({ from_ms, to_ms }: SpreadBytes, now_ms: number): void {
    this.#advance(now_ms);
    this.#arriving = this.#arriving.filter((each) => each.from_ms !== from_ms || each.to_ms !== to_ms);
  }

  /** The bytes in the queue at a time, which must not be before the latest batch. */
  queued(at_ms: number): number {
    let backlog_bytes = this.#backlog_bytes;
    let now_ms = this.#now_ms;
    while (now_ms < at_ms) {
      const arriving = this.#arriving.filter(({ to_ms }) => to_ms > now_ms);
      // The queue may run empty before the next batch ends, so each interval with the same senders counts for itself.
      const next_ms = Math.min(at_ms, ...arriving.map(({ to_ms }) => to_ms));
      for (const { from_ms, to_ms, bytes } of arriving)
        backlog_bytes += (bytes * (next_ms - now_ms)) / (to_ms - from_ms);
      backlog_bytes = Math.max(0, backlog_bytes - this.capacity.bytesBetween(now_ms, next_ms));
      now_ms = next_ms;
    }
    return backlog_bytes;
  }

  /** The waiting time of a packet that arrives at a time, ms. */
  delay(at_ms: number): number {
    return this.capacity.timeToCarry(at_ms, this.queued(at_ms)) - at_ms;
  }

  #advance(to_ms: number): void {
    if (to_ms <= this.#now_ms) return;
    this.#backlog_bytes = this.queued(to_ms);
    this.#now_ms = to_ms;
    this.#arriving = this.#arriving.filter((each) => each.to_ms > to_ms);
  }
}

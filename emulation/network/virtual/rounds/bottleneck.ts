import type { Capacity } from './capacity.ts';

/** The times and losses of a batch of consecutive packets at the bottleneck. */
export interface Passage {
  /** When the first packet begins to be sent. */
  readonly begins_ms: number;
  /** When the last packet has been sent. */
  readonly ends_ms: number;
  /** The bytes of this batch that found the queue full. */
  readonly dropped_bytes: number;
  /** Bytes of the sender's earlier batches that were lost after the sender had received the result of those batches. */
  readonly droppedEarlier_bytes: number;
}

/** Bytes that arrive evenly between two times. */
export interface SpreadBytes {
  readonly from_ms: number;
  readonly to_ms: number;
  readonly bytes: number;
}

/** A part of a batch, without the bytes that find the queue full. */
interface Arriving {
  readonly sender: object;
  readonly from_ms: number;
  readonly to_ms: number;
  readonly bytesPerMs: number;
}

/**
 * A link with a drop-tail queue, first in, first out. Data are a fluid: single packets are not simulated. A sender
 * announces a batch of bytes when the first byte arrives. Bytes that have not arrived yet neither wait in the queue nor
 * delay other senders' bytes.
 *
 * While the queue overflows, all senders lose in proportion to what they send. The sender of a batch that was announced
 * earlier has received its result, so it learns of further losses with its next batch.
 */
export class Bottleneck {
  readonly capacity: Capacity;
  readonly #queue_bytes: number;
  /** The time of the latest batch. */
  #now_ms = 0;
  /** The bytes in the queue at `#now_ms`. */
  #backlog_bytes = 0;
  /** The parts of batches that arrive after `#now_ms`. */
  #arriving: Arriving[] = [];
  /** Bytes of earlier batches that a sender has lost and that have not been reported to it. */
  readonly #untold_bytes = new Map<object, number>();

  constructor(capacity: Capacity, queue_bytes: number) {
    this.capacity = capacity;
    this.#queue_bytes = queue_bytes;
  }

  /** An independent copy of the queue in its present state, for copies of its senders. */
  copy(): Bottleneck {
    const copy = new Bottleneck(this.capacity, this.#queue_bytes);
    copy.#now_ms = this.#now_ms;
    copy.#backlog_bytes = this.#backlog_bytes;
    copy.#arriving = [...this.#arriving];
    for (const [sender, bytes] of this.#untold_bytes) copy.#untold_bytes.set(sender, bytes);
    return copy;
  }

  /** Passes a batch through the link. Calls must be in order of `from_ms`, across all senders. */
  pass({ from_ms, to_ms, bytes }: SpreadBytes, sender: object): Passage {
    const { capacity } = this;
    this.#advance(from_ms);
    const begins_ms = capacity.timeToCarry(from_ms, this.#backlog_bytes);
    const before = { backlog_bytes: this.#backlog_bytes, arriving: this.#arriving };
    const add = (accepted_bytes: number): number => {
      if (to_ms > from_ms)
        this.#arriving = [
          ...before.arriving,
          { sender, from_ms, to_ms, bytesPerMs: accepted_bytes / (to_ms - from_ms) },
        ];
      else this.#backlog_bytes = before.backlog_bytes + accepted_bytes;
      return this.queued(to_ms);
    };
    let queued_bytes = add(bytes);
    let dropped_bytes = 0;
    if (queued_bytes > this.#queue_bytes) {
      const over_bytes = queued_bytes - this.#queue_bytes;
      const { taken_bytes, arriving } = this.#takeFromOthers(
        over_bytes,
        { from_ms, to_ms, bytes },
        before.arriving,
      );
      before.arriving = arriving;
      dropped_bytes = Math.min(bytes, over_bytes - taken_bytes);
      queued_bytes = add(bytes - dropped_bytes);
    }
    const droppedEarlier_bytes = this.forgetLosses(sender);
    const ends_ms = capacity.timeToCarry(to_ms, queued_bytes);
    return { begins_ms, ends_ms, dropped_bytes, droppedEarlier_bytes };
  }

  /** Cancels the part of the sender's batches that has not arrived by `now_ms`. */
  withdraw(sender: object, now_ms: number): void {
    this.#advance(now_ms);
    this.#arriving = this.#arriving.filter((each) => each.sender !== sender);
    this.#untold_bytes.delete(sender);
  }

  /** Returns the sender's lost bytes that have not been reported to it, and forgets them. */
  forgetLosses(sender: object): number {
    const bytes = this.#untold_bytes.get(sender) ?? 0;
    this.#untold_bytes.delete(sender);
    return bytes;
  }

  /** The bytes in the queue at a time, which must not be before the latest batch. */
  queued(at_ms: number): number {
    let backlog_bytes = this.#backlog_bytes;
    let now_ms = this.#now_ms;
    while (now_ms < at_ms) {
      // The queue may run empty before the next batch ends, so each interval with the same senders is computed on its
      // own.
      let next_ms = at_ms;
      let bytesPerMs = 0;
      for (const each of this.#arriving) {
        if (each.to_ms <= now_ms) continue;
        const hasBegun = each.from_ms <= now_ms;
        next_ms = Math.min(next_ms, hasBegun ? each.to_ms : each.from_ms);
        if (hasBegun) bytesPerMs += each.bytesPerMs;
      }
      const arrived_bytes = bytesPerMs * (next_ms - now_ms);
      backlog_bytes = Math.max(
        0,
        backlog_bytes + arrived_bytes - this.capacity.bytesBetween(now_ms, next_ms),
      );
      now_ms = next_ms;
    }
    return backlog_bytes;
  }

  /** The waiting time of a packet that arrives at a time, ms. */
  delay(at_ms: number): number {
    return this.capacity.timeToCarry(at_ms, this.queued(at_ms)) - at_ms;
  }

  /**
   * Assigns to the other senders their share of the bytes that find the queue full during a batch. Returns the assigned
   * bytes, and `arriving` without them.
   */
  #takeFromOthers(
    over_bytes: number,
    { from_ms, to_ms, bytes }: SpreadBytes,
    arriving: readonly Arriving[],
  ): { readonly taken_bytes: number; readonly arriving: Arriving[] } {
    const overlap = (each: Arriving) => ({
      begin_ms: Math.max(from_ms, each.from_ms),
      end_ms: Math.max(from_ms, Math.min(to_ms, each.to_ms)),
    });
    const during = (each: Arriving) => {
      const { begin_ms, end_ms } = overlap(each);
      return each.bytesPerMs * Math.max(0, end_ms - begin_ms);
    };
    const all_bytes = arriving.reduce((sum, each) => sum + during(each), bytes);
    const lostShare = Math.min(1, over_bytes / all_bytes);
    let taken_bytes = 0;
    const left = arriving.flatMap((each) => {
      const lost_bytes = lostShare * during(each);
      if (lost_bytes === 0) return [each];
      this.#untold_bytes.set(each.sender, (this.#untold_bytes.get(each.sender) ?? 0) + lost_bytes);
      taken_bytes += lost_bytes;
      const { begin_ms, end_ms } = overlap(each);
      const parts = [
        { ...each, to_ms: begin_ms },
        { ...each, from_ms: begin_ms, to_ms: end_ms, bytesPerMs: (1 - lostShare) * each.bytesPerMs },
        { ...each, from_ms: end_ms },
      ];
      return parts.filter((part) => part.to_ms > Math.max(part.from_ms, from_ms));
    });
    return { taken_bytes, arriving: left };
  }

  #advance(to_ms: number): void {
    if (to_ms <= this.#now_ms) return;
    this.#backlog_bytes = this.queued(to_ms);
    this.#now_ms = to_ms;
    this.#arriving = this.#arriving.filter((each) => each.to_ms > to_ms);
  }
}

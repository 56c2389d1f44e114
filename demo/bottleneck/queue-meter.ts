import { WAIT_STEP_MS, type QueueRow } from '../measures/measures.ts';

/** Sums up the packets that leave a queue. */
export class QueueMeter {
  #depth_packets = 0;
  #wait_ms = 0;
  readonly #waits = new Map<number, number>();
  #droppedBefore = 0;

  /** Records a packet that left the queue: the number of packets that it met there, and its delay. */
  left(depth_packets: number, wait_ms: number): void {
    this.#depth_packets = Math.max(this.#depth_packets, depth_packets);
    this.#wait_ms = Math.max(this.#wait_ms, wait_ms);
    const steps = Math.ceil(wait_ms / WAIT_STEP_MS);
    this.#waits.set(steps, (this.#waits.get(steps) ?? 0) + 1);
  }

  /** Returns the row of the packets since the previous row. `dropped` counts from the start. */
  take(at_ms: number, dropped: number): QueueRow {
    const row: QueueRow = {
      at_ms: Math.round(at_ms),
      depth_packets: this.#depth_packets,
      wait_ms: Math.round(this.#wait_ms * 100) / 100,
      dropped: dropped - this.#droppedBefore,
      waits: [...this.#waits].sort(([a], [b]) => a - b),
    };
    [this.#depth_packets, this.#wait_ms, this.#droppedBefore] = [0, 0, dropped];
    this.#waits.clear();
    return row;
  }
}

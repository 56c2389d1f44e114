import type { Ack } from './congestion-control.ts';

/**
 * Length in rounds of each of the two measurement windows. The estimate is therefore based on the last 5 to 10 rounds.
 */
const WINDOW_ROUNDS = 5;
/** The allowance is at most what the bandwidth delivers in this time. */
const MOST_MS = 100;

/**
 * Estimates ACK aggregation: how many more packets ACKs acknowledge at once than the bandwidth explains. BBR allows
 * that many more packets in flight.
 */
export class AckAggregation {
  readonly #extra: [number, number] = [0, 0];
  #current: 0 | 1 = 0;
  #rounds = 0;
  #since_ms = 0;
  #acked = 0;

  update(
    { delivered, rate }: Ack,
    {
      delivered_ms,
      bandwidth,
      roundStarts,
      window,
    }: {
      readonly delivered_ms: number;
      readonly bandwidth: number;
      readonly roundStarts: boolean;
      readonly window: number;
    },
  ): void {
    if (!rate || delivered === 0) return;
    if (roundStarts && ++this.#rounds >= WINDOW_ROUNDS) {
      this.#rounds = 0;
      this.#current = this.#current === 0 ? 1 : 0;
      this.#extra[this.#current] = 0;
    }
    let expected = Math.floor(bandwidth * (delivered_ms - this.#since_ms));
    if (this.#acked <= expected) {
      this.#acked = 0;
      this.#since_ms = delivered_ms;
      expected = 0;
    }
    this.#acked += delivered;
    const extra = Math.min(this.#acked - expected, window);
    this.#extra[this.#current] = Math.max(this.#extra[this.#current], extra);
  }

  /** Returns the allowance in packets. */
  room(bandwidth: number): number {
    return Math.min(Math.max(...this.#extra), Math.floor(bandwidth * MOST_MS));
  }
}

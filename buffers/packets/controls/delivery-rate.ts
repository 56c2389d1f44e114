/** The state at the time of sending, which each packet stores. */
export interface SentStamp {
  readonly delivered: number;
  readonly delivered_ms: number;
  readonly first_ms: number;
  readonly held: boolean;
}

/** The number of packets delivered in an interval (`struct rate_sample`). */
export interface RateSample {
  readonly packets: number;
  readonly interval_ms: number;
  /** The number of packets delivered when the packet of this round trip was sent. */
  readonly deliveredBefore: number;
  /** The sender itself had held back then. */
  readonly held: boolean;
}

/** Timestamps are in whole µs in the kernel, here they are not. */
const SAME_MS = 0.001;

/**
 * Linux's estimate of the rate at which packets are delivered (`tcp_rate.c`): from the sending of a packet to its ACK, over
 * the longer of the times in which these packets were sent and in which they were acknowledged.
 */
export class DeliveryRate {
  delivered = 0;
  #delivered_ms = 0;
  #first_ms = 0;
  /** Samples count as held until so many have been delivered. */
  #heldUntil = 0;
  #newest: { readonly sent: SentStamp; readonly sent_ms: number } | undefined;

  get delivered_ms(): number {
    return this.#delivered_ms;
  }

  /** A packet is sent; `nothingOut`: no other was unacknowledged. */
  stamp(now_ms: number, nothingOut: boolean): SentStamp {
    if (nothingOut) {
      this.#first_ms = now_ms;
      this.#delivered_ms = now_ms;
    }
    return {
      delivered: this.delivered,
      delivered_ms: this.#delivered_ms,
      first_ms: this.#first_ms,
      held: this.#heldUntil > 0,
    };
  }

  /** Marks samples as held until the packets in flight have been delivered: these do not show the possible rate. */
  hold(inFlight: number): void {
    this.#heldUntil = Math.max(1, this.delivered + inFlight);
  }

  /** One packet, sent then, has arrived. */
  arrived(sent: SentStamp, sent_ms: number): void {
    this.delivered++;
    if (this.#newest && sent.delivered <= this.#newest.sent.delivered) return;
    this.#newest = { sent, sent_ms };
    this.#first_ms = sent_ms;
  }

  /** The sample of one ACK: the packets that arrived since the last call. */
  sample(now_ms: number, leastRtt_ms: number): RateSample | undefined {
    if (this.#heldUntil > 0 && this.delivered > this.#heldUntil) this.#heldUntil = 0;
    const newest = this.#newest;
    if (!newest) return undefined;
    this.#newest = undefined;
    this.#delivered_ms = now_ms;
    const { sent, sent_ms } = newest;
    const interval_ms = Math.max(sent_ms - sent.first_ms, now_ms - sent.delivered_ms);
    if (interval_ms < leastRtt_ms - SAME_MS) return undefined;
    return {
      packets: this.delivered - sent.delivered,
      interval_ms,
      deliveredBefore: sent.delivered,
      held: sent.held,
    };
  }
}

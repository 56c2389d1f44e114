/** The connection's state when a packet was sent. Each packet in flight stores it. */
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
  /** The number of packets that had been delivered when the newest packet of this sample was sent. */
  readonly deliveredBefore: number;
  /** Whether the sender itself, and not the network, limited the rate at that time (Linux's `is_app_limited`). */
  readonly held: boolean;
}

/** Times less than this far apart count as equal, because the kernel's timestamps are in whole µs and these are not. */
const SAME_MS = 0.001;

/**
 * Linux's estimate of the delivery rate (`tcp_rate.c`): the packets delivered between the sending of a packet and its
 * ACK, divided by the longer of two times: the time in which these packets were sent, and the time in which they were
 * acknowledged.
 */
export class DeliveryRate {
  delivered = 0;
  #delivered_ms = 0;
  #first_ms = 0;
  /** Samples count as held until this many packets have been delivered. */
  #heldUntil = 0;
  #newest: { readonly sent: SentStamp; readonly sent_ms: number } | undefined;

  get delivered_ms(): number {
    return this.#delivered_ms;
  }

  /** Returns the stamp for a packet that is sent now. `nothingOut` means that no other packet is unacknowledged. */
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

  /**
   * Marks samples as held until the packets in flight have been delivered, because these packets do not show the
   * possible rate.
   */
  hold(inFlight: number): void {
    this.#heldUntil = Math.max(1, this.delivered + inFlight);
  }

  /** Records the arrival of a packet that was sent at `sent_ms`. */
  arrived(sent: SentStamp, sent_ms: number): void {
    this.delivered++;
    if (this.#newest && sent.delivered <= this.#newest.sent.delivered) return;
    this.#newest = { sent, sent_ms };
    this.#first_ms = sent_ms;
  }

  /** Returns the sample of one ACK, from the packets that arrived since the last call. */
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

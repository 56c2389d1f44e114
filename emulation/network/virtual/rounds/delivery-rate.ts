/** Packets that were sent together, with the times at which they passed the bottleneck. */
interface Sample {
  /** When the server sent the first packet. */
  readonly now_ms: number;
  /** The duration of sending all packets. */
  readonly sends_ms: number;
  /** When the bottleneck began to send the first packet. */
  readonly begins_ms: number;
  /** When the bottleneck had sent the last packet. */
  readonly ends_ms: number;
  /** The round-trip time of the idle link. */
  readonly base_ms: number;
  readonly arrived: number;
  /** The share of the window that the packets filled. */
  readonly share: number;
  /** Whether a pace, and not the window, spread the packets. */
  readonly paced: boolean;
}

/**
 * A connection's delivery rate as Linux samples it (`tcp_rate.c`): the data delivered between the sending of a packet
 * and its ACK, divided by the longer of the sending time and the acknowledgment time. Packets that leave before the
 * response's first ACK are marked as app-limited, because the server had nothing to send before the response. Their
 * sample is a lower bound, and is used only if it is not below the known rate.
 */
export class DeliveryRate {
  /** The delivery rate; 0 before the first sample. */
  packetsPerMs = 0;
  /** Whether the rate is a lower bound. */
  appLimited = true;
  #firstAck_ms = Infinity;
  /** The previous batch of this response: its number of packets, and the time over which their ACKs arrived. */
  #before = { packets: 0, ms: 0 };

  /** Begins a response. All packets of the previous response have been acknowledged. */
  begin(): void {
    this.#firstAck_ms = Infinity;
    this.#before = { packets: 0, ms: 0 };
  }

  sample({ now_ms, sends_ms, begins_ms, ends_ms, base_ms, arrived: came, share, paced }: Sample): void {
    if (came <= 0) return;
    const limited = now_ms < this.#firstAck_ms;
    const rest = limited || paced ? 0 : 1 - share;
    const packets = came + rest * this.#before.packets;
    const acks_ms = ends_ms - begins_ms + rest * this.#before.ms;
    // The first ACK arrives after a round trip; later ACKs arrive while the packets that they allow are sent.
    let least_ms = begins_ms - now_ms + base_ms;
    if (paced) least_ms = sends_ms;
    else if (limited) least_ms += acks_ms;
    const rate = packets / Math.max(acks_ms, least_ms);
    if (!limited || rate >= this.packetsPerMs) {
      this.packetsPerMs = rate;
      this.appLimited = limited;
    }
    this.#firstAck_ms = Math.min(this.#firstAck_ms, begins_ms + base_ms);
    this.#before = { packets: came, ms: ends_ms - begins_ms };
  }

  copy(): DeliveryRate {
    const copy = new DeliveryRate();
    copy.packetsPerMs = this.packetsPerMs;
    copy.appLimited = this.appLimited;
    copy.#firstAck_ms = this.#firstAck_ms;
    copy.#before = this.#before;
    return copy;
  }
}

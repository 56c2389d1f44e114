/** Packets that were sent together, as the bottleneck let them pass. */
interface Sample {
  /** When the server sent the first of them, and how long it took to send them all. */
  readonly now_ms: number;
  readonly sends_ms: number;
  /** When the bottleneck began to send the first and had sent the last of them. */
  readonly begins_ms: number;
  readonly ends_ms: number;
  /** There and back, idle. */
  readonly base_ms: number;
  /** Packets that arrived. */
  readonly came: number;
  /** Of the window, what they filled. */
  readonly share: number;
  /** A pace spread them, and not the window. */
  readonly paced: boolean;
}

/**
 * A connection's rate of delivery as Linux samples it (`tcp_rate.c`): what was delivered between the sending of a packet and
 * its ACK, over the longer of the times that it took to be sent and to be acknowledged. What leaves before the response's first
 * ACK is marked, since the server had nothing to send before it: of such packets only a sample that is not below
 * what is known counts, and it is a lower bound ("app-limited").
 */
export class DeliveryRate {
  /** Packets/ms; 0 before the first sample. */
  packetsPerMs = 0;
  /** The rate is a lower bound. */
  appLimited = true;
  #firstAck_ms = Infinity;
  /** What was sent before in this response: packets, and how long their ACKs took to come. */
  #before = { packets: 0, ms: 0 };

  /** A response begins, after all of the one before has been acknowledged. */
  begin(): void {
    this.#firstAck_ms = Infinity;
    this.#before = { packets: 0, ms: 0 };
  }

  sample({ now_ms, sends_ms, begins_ms, ends_ms, base_ms, came, share, paced }: Sample): void {
    if (came <= 0) return;
    const limited = now_ms < this.#firstAck_ms;
    const rest = limited || paced ? 0 : 1 - share;
    const packets = came + rest * this.#before.packets;
    const acks_ms = ends_ms - begins_ms + rest * this.#before.ms;
    // The first ACK of all is a round trip away; later ones come while what they allow is sent.
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

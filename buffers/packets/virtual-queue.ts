import type { QueueRule } from '../traffic/traffic.ts';

/** A packet of a flow on its way. */
export interface VirtualPacket {
  readonly flow: number;
  readonly number: number;
}

/** The bottleneck's queue, which drops at its tail or its front, and the link behind it. */
export class VirtualQueue {
  dropped = 0;
  sent = 0;
  /** Packets that found so many waiting. */
  readonly depths: number[] = [];
  readonly #rule: QueueRule;
  readonly #packet_ms: number;
  readonly #at: (time_ms: number, act: () => void) => void;
  readonly #deliver: (packet: VirtualPacket) => void;
  #packets: VirtualPacket[] = [];
  #head = 0;
  #busy = false;

  constructor(
    rule: QueueRule,
    packet_ms: number,
    at: (time_ms: number, act: () => void) => void,
    deliver: (packet: VirtualPacket) => void,
  ) {
    this.#rule = rule;
    this.#packet_ms = packet_ms;
    this.#at = at;
    this.#deliver = deliver;
  }

  /** Packets that wait now. */
  get waiting(): number {
    return this.#packets.length - this.#head;
  }

  push(packet: VirtualPacket, now_ms: number): void {
    const depth = this.waiting;
    if (this.#rule.at === 'tail' && depth >= this.#rule.packets) {
      this.dropped++;
      return;
    }
    while (this.depths.length <= depth) this.depths.push(0);
    this.depths[depth] = (this.depths[depth] ?? 0) + 1;
    this.#packets.push(packet);
    if (!this.#busy) this.#serve(now_ms);
  }

  #shift(): VirtualPacket | undefined {
    const packet = this.#packets[this.#head];
    if (!packet) return undefined;
    this.#head++;
    if (this.#head > 1024) {
      this.#packets = this.#packets.slice(this.#head);
      this.#head = 0;
    }
    return packet;
  }

  /** What is dropped at the front takes the link no time. */
  #serve(now_ms: number): void {
    let packet = this.#shift();
    while (packet && this.#rule.at === 'front' && this.waiting >= this.#rule.packets) {
      this.dropped++;
      packet = this.#shift();
    }
    this.#busy = packet !== undefined;
    if (!packet) return;
    const leaving = packet;
    const end_ms = now_ms + this.#packet_ms;
    this.#at(end_ms, () => {
      this.sent++;
      this.#deliver(leaving);
      this.#serve(end_ms);
    });
  }
}

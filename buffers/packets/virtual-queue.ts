import type { QueueRule } from '../traffic/traffic.ts';

/** A packet of a flow on its way through the network. */
export interface VirtualPacket {
  readonly flow: number;
  readonly number: number;
  /** The time at which the packet joined the queue. */
  joined_ms?: number;
}

/** Properties of a link in addition to a constant rate. */
export interface LinkBehavior {
  /** Returns the time at which the link finishes a packet that it starts at `begin_ms`. */
  readonly serviceEnd?: (begin_ms: number) => number;
  /** Whether a packet may join the queue at `now_ms`; false if a policer rejects it. */
  readonly admits?: (now_ms: number) => boolean;
  /** Whether the next packet is lost after the queue. */
  readonly loses?: () => boolean;
  /**
   * Returns the time at which the link lets an ACK pass that arrives at `come_ms`. By default, ACKs pass immediately.
   */
  readonly ackAt?: (come_ms: number) => number;
  /**
   * Returns the arrival time, without propagation delay, of a packet that leaves the link at `left_ms`. By default,
   * `left_ms`.
   */
  readonly arrivesAt?: (left_ms: number) => number;
  /** Called for every packet that has left the link, with the time at which it arrives unless it is lost after it. */
  readonly onDeparture?: (packet: VirtualPacket, joined_ms: number, arrives_ms: number) => void;
}

/** The bottleneck's queue, which drops at its tail or its front, followed by the link. */
export class VirtualQueue {
  dropped = 0;
  sent = 0;
  /** Packets lost after the queue. */
  lost = 0;
  /** The number of packets by the queue depth that they found. */
  readonly depths: number[] = [];
  readonly #rule: QueueRule;
  readonly #packet_ms: number;
  readonly #at: (time_ms: number, act: () => void) => void;
  readonly #deliver: (packet: VirtualPacket) => void;
  readonly #behavior: LinkBehavior;
  #packets: VirtualPacket[] = [];
  #head = 0;
  #busy = false;

  constructor(
    rule: QueueRule,
    packet_ms: number,
    at: (time_ms: number, act: () => void) => void,
    deliver: (packet: VirtualPacket) => void,
    behavior: LinkBehavior = {},
  ) {
    this.#rule = rule;
    this.#packet_ms = packet_ms;
    this.#at = at;
    this.#deliver = deliver;
    this.#behavior = behavior;
  }

  /** The number of waiting packets. */
  get waiting(): number {
    return this.#packets.length - this.#head;
  }

  push(packet: VirtualPacket, now_ms: number): void {
    const depth = this.waiting;
    const isFull = this.#rule.at === 'tail' && depth >= this.#rule.packets;
    if (isFull || this.#behavior.admits?.(now_ms) === false) {
      this.dropped++;
      return;
    }
    while (this.depths.length <= depth) this.depths.push(0);
    this.depths[depth] = (this.depths[depth] ?? 0) + 1;
    packet.joined_ms = now_ms;
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

  /** Starts to transmit the next packet. Packets dropped at the front take no time on the link. */
  #serve(now_ms: number): void {
    let packet = this.#shift();
    while (packet && this.#rule.at === 'front' && this.waiting >= this.#rule.packets) {
      this.dropped++;
      packet = this.#shift();
    }
    this.#busy = packet !== undefined;
    if (!packet) return;
    const leaving = packet;
    const end_ms = this.#behavior.serviceEnd?.(now_ms) ?? now_ms + this.#packet_ms;
    this.#at(end_ms, () => {
      this.sent++;
      const arrives_ms = this.#behavior.arrivesAt?.(end_ms) ?? end_ms;
      this.#behavior.onDeparture?.(leaving, leaving.joined_ms ?? end_ms, arrives_ms);
      if (this.#behavior.loses?.() === true) this.lost++;
      else if (arrives_ms > end_ms) this.#at(arrives_ms, () => this.#deliver(leaving));
      else this.#deliver(leaving);
      this.#serve(end_ms);
    });
  }
}

import type { QueueRule } from '../traffic/traffic.ts';

/** A packet of a flow on its way. */
export interface VirtualPacket {
  readonly flow: number;
  readonly number: number;
  /** When it joined the queue. */
  joined_ms?: number;
}

/** Properties of a link in addition to a constant rate. */
export interface LinkBehavior {
  /** When the link has finished with a packet that it begins with at a time. */
  readonly serviceEnd?: (begin_ms: number) => number;
  /** Whether a packet may join the queue at a time: a policer says no. */
  readonly admits?: (now_ms: number) => boolean;
  /** Whether a packet is lost behind the queue. */
  readonly loses?: () => boolean;
  /** When an ACK gets through that has come to the link at a time; missing: at once. */
  readonly ackAt?: (come_ms: number) => number;
  /** When a packet arrives that has left the link at a time, before the propagation delay; missing: at once. */
  readonly arrivesAt?: (left_ms: number) => number;
  /** Called for every packet that has left the link, with its arrival time; also for packets that are lost after the link. */
  readonly onDeparture?: (packet: VirtualPacket, joined_ms: number, arrives_ms: number) => void;
}

/** The bottleneck's queue, which drops at its tail or its front, followed by the link. */
export class VirtualQueue {
  dropped = 0;
  sent = 0;
  /** Packets lost after the queue. */
  lost = 0;
  /** Packets that found so many waiting. */
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

  /** Packets that wait now. */
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

  /** Drops at the front take no time on the link. */
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

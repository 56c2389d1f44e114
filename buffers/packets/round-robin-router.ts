import type { SenderWorld } from './sender/sender-world.ts';

/** A router's port: a queue of its own for each group of servers, which drops at its tail, and one link behind them all. */
export interface RouterPort {
  readonly queues: number;
  /** Of each queue. */
  readonly buffer_packets: number;
  /** A packet's time on the link. */
  readonly packet_ms: number;
}

/** What a queue has seen. */
export interface QueueCounts {
  readonly sent: number;
  readonly dropped: number;
  /** Packets that waited so many packet times for their turn, by that number. */
  readonly waits: Readonly<Uint32Array>;
}

/** One virtual output queue: a ring of the packets that wait. */
class OutputQueue<Packet> implements QueueCounts {
  sent = 0;
  dropped = 0;
  readonly waits: Uint32Array;
  readonly #packets: (Packet | undefined)[];
  readonly #came_ms: Float64Array;
  #head = 0;
  waiting = 0;

  constructor({ buffer_packets, queues }: RouterPort) {
    this.#packets = Array.from({ length: buffer_packets }, () => undefined);
    this.#came_ms = new Float64Array(buffer_packets);
    this.waits = new Uint32Array(queues * (buffer_packets + 1) + 1);
  }

  push(packet: Packet, now_ms: number): boolean {
    if (this.waiting === this.#packets.length) return false;
    const place = (this.#head + this.waiting++) % this.#packets.length;
    this.#packets[place] = packet;
    this.#came_ms[place] = now_ms;
    return true;
  }

  shift(now_ms: number, packet_ms: number): Packet | undefined {
    if (this.waiting === 0) return undefined;
    const place = this.#head;
    const packet = this.#packets[place];
    this.#packets[place] = undefined;
    this.#head = (place + 1) % this.#packets.length;
    this.waiting--;
    this.sent++;
    const wait = Math.round((now_ms - (this.#came_ms[place] ?? now_ms)) / packet_ms);
    this.waits[wait] = (this.waits[wait] ?? 0) + 1;
    return packet;
  }
}

/**
 * Virtual output queues (Neighbor §5.3.2): each has a buffer of its own, and the link takes one packet from each in turn that
 * has any. Packets have one size, so this is deficit weighted round robin with equal weights.
 */
export class RoundRobinRouter<Packet> {
  readonly #port: RouterPort;
  readonly #world: Pick<SenderWorld, 'at' | 'now_ms'>;
  readonly #deliver: (packet: Packet) => void;
  readonly #queues: readonly OutputQueue<Packet>[];
  #turn = 0;
  /** What is on the link. */
  #leaving: Packet | undefined;

  constructor(
    port: RouterPort,
    world: Pick<SenderWorld, 'at' | 'now_ms'>,
    deliver: (packet: Packet) => void,
  ) {
    this.#port = port;
    this.#world = world;
    this.#deliver = deliver;
    this.#queues = Array.from({ length: port.queues }, () => new OutputQueue<Packet>(port));
  }

  /** Of each queue, so far. */
  get counts(): readonly QueueCounts[] {
    return this.#queues.map(({ sent, dropped, waits }) => ({ sent, dropped, waits: waits.slice() }));
  }

  /** Whether there was room for it. Throws an Error for a queue that there is not. */
  push(number: number, packet: Packet): boolean {
    const queue = this.#queues[number];
    if (!queue) throw new Error(`the router has no queue ${number}`);
    if (!queue.push(packet, this.#world.now_ms())) {
      queue.dropped++;
      return false;
    }
    if (this.#leaving === undefined) this.#serve();
    return true;
  }

  #serve(): void {
    const now_ms = this.#world.now_ms();
    this.#leaving = this.#next(now_ms);
    if (this.#leaving !== undefined) this.#world.at(now_ms + this.#port.packet_ms, this.#left);
  }

  readonly #left = (): void => {
    if (this.#leaving !== undefined) this.#deliver(this.#leaving);
    this.#serve();
  };

  #next(now_ms: number): Packet | undefined {
    const { queues, packet_ms } = this.#port;
    for (let step = 0; step < queues; step++) {
      const number = (this.#turn + step) % queues;
      const packet = this.#queues[number]?.shift(now_ms, packet_ms);
      if (packet === undefined) continue;
      this.#turn = (number + 1) % queues;
      return packet;
    }
    return undefined;
  }
}

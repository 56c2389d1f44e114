import { FULL_FRAME_BYTES, Queues } from '../../p4/switch/link/queues.ts';
import type { SenderWorld } from './sender/sender-world.ts';

/** A router's port: a separate drop-tail queue for each group of servers, and one link that all queues share. */
export interface RouterPort {
  readonly queues: number;
  readonly buffer_packets: number;
  /** The transmission time of a packet on the link. */
  readonly packet_ms: number;
}

/** The counts of one queue. */
export interface QueueCounts {
  readonly sent: number;
  readonly dropped: number;
  /** The number of packets by their waiting time, in packet times. */
  readonly waits: Readonly<Uint32Array>;
}

/** A waiting packet, with its queue and the time at which it joined the queue. */
interface Waiting<Packet> {
  readonly packet: Packet;
  readonly number: number;
  readonly came_ms: number;
}

/**
 * Virtual output queues (Making Video Traffic a Friendlier Internet Neighbor, §5.3.2). Each queue has its own buffer,
 * and the link takes packets from the non-empty queues in turn, by the deficit weighted round robin of the P4 switch.
 * All queues have the same weight and all packets the same size, so each turn is one packet.
 */
export class RoundRobinRouter<Packet> {
  readonly #port: RouterPort;
  readonly #world: Pick<SenderWorld, 'at' | 'now_ms'>;
  readonly #deliver: (packet: Packet) => void;
  readonly #queues: Queues<Waiting<Packet>>;
  readonly #counts: { sent: number; dropped: number; readonly waits: Uint32Array }[];
  /** The packet that the link is sending. */
  #leaving: Waiting<Packet> | undefined;

  constructor(
    port: RouterPort,
    world: Pick<SenderWorld, 'at' | 'now_ms'>,
    deliver: (packet: Packet) => void,
  ) {
    const { queues, buffer_packets } = port;
    this.#port = port;
    this.#world = world;
    this.#deliver = deliver;
    const weights = Array.from({ length: queues }, () => 1);
    this.#queues = new Queues({ weights, depthPackets: buffer_packets }, queues);
    this.#counts = weights.map(() => ({
      ...{ sent: 0, dropped: 0, waits: new Uint32Array(queues * (buffer_packets + 1) + 1) },
    }));
  }

  /** The counts of each queue so far. */
  get counts(): readonly QueueCounts[] {
    return this.#counts.map(({ sent, dropped, waits }) => ({ sent, dropped, waits: waits.slice() }));
  }

  /** Adds the packet to a queue. Returns false if the queue is full. Throws an Error for an unknown queue. */
  push(number: number, packet: Packet): boolean {
    const counts = this.#counts[number];
    if (!counts) throw new Error(`the router has no queue ${number}`);
    const waiting = { packet, number, came_ms: this.#world.now_ms() };
    if (!this.#queues.push(number, waiting, FULL_FRAME_BYTES)) {
      counts.dropped++;
      return false;
    }
    if (this.#leaving === undefined) this.#serve();
    return true;
  }

  #serve(): void {
    this.#leaving = this.#queues.shift()?.item;
    if (this.#leaving === undefined) return;
    const { number, came_ms } = this.#leaving;
    const now_ms = this.#world.now_ms();
    const { packet_ms } = this.#port;
    const counts = this.#counts[number];
    if (counts) {
      counts.sent++;
      const wait = Math.round((now_ms - came_ms) / packet_ms);
      counts.waits[wait] = (counts.waits[wait] ?? 0) + 1;
    }
    this.#world.at(now_ms + packet_ms, this.#left);
  }

  readonly #left = (): void => {
    if (this.#leaving !== undefined) this.#deliver(this.#leaving.packet);
    this.#serve();
  };
}

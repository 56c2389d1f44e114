/* The queues of one port and their scheduler: strict priority, as in BMv2, or weighted round robin. */
import { Fifo } from './fifo.ts';

export interface QueueSettings {
  /** Maximum packets per queue; BMv2's default is 64. */
  readonly depthPackets?: number;
  readonly depthBytes?: number;
  /**
   * Weights for weighted round robin, one per queue. In its turn, a queue sends its weight times the bytes of a full
   * frame (deficit round robin, Shreedhar and Varghese 1995). v1model's `priority` selects a packet's queue.
   */
  readonly weights?: readonly number[];
}

const DEFAULT_DEPTH = 64;
/**
 * Bytes of a full Ethernet frame without its checksum: the quantum of weight 1, so that every turn sends at least one
 * full frame.
 */
export const FULL_FRAME_BYTES = 1514;

interface Waiting<T> {
  readonly item: T;
  readonly bytes: number;
}

interface Queue<T> {
  readonly packets: Fifo<Waiting<T>>;
  bytes: number;
  /** Bytes that the queue may still send in its turn. */
  deficit: number;
  readonly quantum: number;
}

export class Queues<T> {
  private readonly all: readonly Queue<T>[];
  private readonly settings: QueueSettings;
  /** Index of the queue whose turn it is. */
  private turn = 0;
  /** Whether that queue has received its quantum for this turn. */
  private served = false;
  /** Number of packets in all queues. */
  waiting = 0;

  constructor(settings: QueueSettings, priorities: number) {
    this.settings = settings;
    const { weights = Array.from({ length: priorities }, () => 1) } = settings;
    this.all = weights.map((weight) => ({
      packets: new Fifo<Waiting<T>>(),
      bytes: 0,
      deficit: 0,
      quantum: weight * FULL_FRAME_BYTES,
    }));
  }

  depth(priority: number): number {
    return this.queue(priority).packets.length;
  }

  /** Adds a packet. Returns false if its queue is full and the packet is lost (drop-tail). */
  push(priority: number, item: T, bytes: number): boolean {
    const queue = this.queue(priority);
    const { depthBytes } = this.settings;
    // If a depth in bytes is set, v1model's default depth in packets does not apply.
    const { depthPackets = depthBytes === undefined ? DEFAULT_DEPTH : Infinity } = this.settings;
    if (queue.packets.length >= depthPackets || queue.bytes + bytes > (depthBytes ?? Infinity)) return false;
    queue.packets.push({ item, bytes });
    queue.bytes += bytes;
    this.waiting++;
    return true;
  }

  /** Removes and returns the next packet to send. `depth` is the number of packets left in its queue. */
  shift(): { readonly item: T; readonly depth: number } | undefined {
    if (this.waiting === 0) return undefined;
    const queue = this.settings.weights
      ? this.nextByWeight()
      : this.all.findLast(({ packets }) => packets.length > 0);
    const packet = queue?.packets.shift();
    if (!queue || !packet) return undefined;
    queue.bytes -= packet.bytes;
    this.waiting--;
    return { item: packet.item, depth: queue.packets.length };
  }

  private nextByWeight(): Queue<T> | undefined {
    for (;;) {
      const queue = this.all[this.turn];
      if (!queue) return undefined;
      const { first } = queue.packets;
      if (first && !this.served) queue.deficit += queue.quantum;
      this.served = true;
      if (first && first.bytes <= queue.deficit) {
        queue.deficit -= first.bytes;
        return queue;
      }
      // An empty queue loses its unused credit.
      if (!first) queue.deficit = 0;
      this.turn = (this.turn + 1) % this.all.length;
      this.served = false;
    }
  }

  /** Higher numbers are served first, as in BMv2. Priorities above the last queue use the last queue. */
  private queue(priority: number): Queue<T> {
    const queue = this.all[Math.min(priority, this.all.length - 1)];
    if (!queue) throw new Error('a port has at least one queue');
    return queue;
  }
}

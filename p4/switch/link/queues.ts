/*
 * The queues of one port, and which of them is served next: the one of highest priority, as in BMv2, or each in turn by
 * its weight.
 */
import { Fifo } from './fifo.ts';

export interface QueueSettings {
  /** The most packets that wait in each queue; BMv2's default is 64. */
  readonly depthPackets?: number;
  readonly depthBytes?: number;
  /**
   * Weighted round robin between so many queues, by bytes: each in turn sends as many full frames as its weight says
   * (deficit round robin, Shreedhar and Varghese 1995). A packet's queue is v1model's `priority`.
   */
  readonly weights?: readonly number[];
}

const DEFAULT_DEPTH = 64;
/** Of Ethernet, without its checksum. A weight counts these, so that each turn sends something. */
export const FULL_FRAME_BYTES = 1514;

interface Waiting<T> {
  readonly item: T;
  readonly bytes: number;
}

interface Queue<T> {
  readonly packets: Fifo<Waiting<T>>;
  bytes: number;
  /** What it may still send in its turn. */
  deficit: number;
  readonly quantum: number;
}

export class Queues<T> {
  private readonly all: readonly Queue<T>[];
  private readonly settings: QueueSettings;
  /** Whose turn it is, and whether it has had its quantum. */
  private turn = 0;
  private served = false;
  /** In all queues. */
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

  /** False when the queue is full and the packet is lost: drop-tail. */
  push(priority: number, item: T, bytes: number): boolean {
    const queue = this.queue(priority);
    const { depthBytes } = this.settings;
    // A depth in bytes replaces v1model's default depth in packets.
    const { depthPackets = depthBytes === undefined ? DEFAULT_DEPTH : Infinity } = this.settings;
    if (queue.packets.length >= depthPackets || queue.bytes + bytes > (depthBytes ?? Infinity)) return false;
    queue.packets.push({ item, bytes });
    queue.bytes += bytes;
    this.waiting++;
    return true;
  }

  /** The packet that is served next, and how many it leaves in its queue. */
  shift(): { readonly item: T; readonly depth: number } | undefined {
    if (this.waiting === 0) return undefined;
    const queue = this.settings.weights
      ? this.inTurn()
      : this.all.findLast(({ packets }) => packets.length > 0);
    const packet = queue?.packets.shift();
    if (!queue || !packet) return undefined;
    queue.bytes -= packet.bytes;
    this.waiting--;
    return { item: packet.item, depth: queue.packets.length };
  }

  private inTurn(): Queue<T> | undefined {
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
      // A queue that is empty saves nothing up.
      if (!first) queue.deficit = 0;
      this.turn = (this.turn + 1) % this.all.length;
      this.served = false;
    }
  }

  /** A higher number is served first, as in BMv2; what is above the last queue is in the last. */
  private queue(priority: number): Queue<T> {
    const queue = this.all[Math.min(priority, this.all.length - 1)];
    if (!queue) throw new Error('a port has at least one queue');
    return queue;
  }
}

/*
 * The queues between ingress and egress, one per port and priority. Departures follow a virtual schedule: a packet
 * leaves its queue when the link has finished with the one before, so a reader that comes late does not make the
 * next one later. The depth counts packets that wait; the one being sent has left.
 */

export interface PortSettings {
  /** bit/s; missing for a link that is never busy. */
  readonly rateBitsPerSecond?: number;
  /** BMv2's unit. */
  readonly ratePacketsPerSecond?: number;
  /** The most packets that wait in each queue; BMv2's default is 64. */
  readonly depthPackets?: number;
  readonly depthBytes?: number;
}

const DEFAULT_DEPTH = 64;

export interface QueueCounts {
  enqueued: number;
  dequeued: number;
  dropped: number;
}

interface Waiting<T> {
  readonly item: T;
  readonly bytes: number;
}

/** A first-in first-out list in constant time. */
class Fifo<T> {
  private items: (T | undefined)[] = [];
  private head = 0;
  bytes = 0;

  get length(): number {
    return this.items.length - this.head;
  }

  push(item: T): void {
    this.items.push(item);
  }

  shift(): T | undefined {
    const item = this.items[this.head];
    this.items[this.head++] = undefined;
    if (this.head > 1024 && this.head * 2 > this.items.length) {
      this.items = this.items.slice(this.head);
      this.head = 0;
    }
    return item;
  }
}

class Port<T> {
  readonly queues: Fifo<Waiting<T>>[];
  readonly counts: QueueCounts = { enqueued: 0, dequeued: 0, dropped: 0 };
  settings: PortSettings;
  /** When the link has finished with what it sends, in nanoseconds. */
  free = 0;
  waiting = 0;

  constructor(settings: PortSettings, priorities: number) {
    this.settings = settings;
    this.queues = Array.from({ length: priorities }, () => new Fifo<Waiting<T>>());
  }
}

export interface Departure<T> {
  readonly port: number;
  readonly item: T;
  /** The moment it was due, in nanoseconds. */
  readonly time: number;
  /** Packets left in its queue. */
  readonly depth: number;
}

export class TrafficManager<T> {
  private readonly ports = new Map<number, Port<T>>();
  private readonly busy = new Set<number>();
  private readonly settings: ReadonlyMap<number, PortSettings>;
  private readonly priorities: number;

  constructor(settings: ReadonlyMap<number, PortSettings>, priorities = 1) {
    this.settings = settings;
    this.priorities = priorities;
  }

  /** Packets that wait in the queue a packet of this priority would join. */
  depth(port: number, priority: number): number {
    return this.queue(this.port(port), priority).length;
  }

  /** False when the queue is full and the packet is lost: drop-tail. */
  enqueue(number: number, priority: number, item: T, bytes: number, now: number): boolean {
    const port = this.port(number);
    const queue = this.queue(port, priority);
    const { depthBytes } = port.settings;
    // A depth in bytes replaces v1model's default depth in packets.
    const { depthPackets = depthBytes === undefined ? DEFAULT_DEPTH : Infinity } = port.settings;
    if (queue.length >= depthPackets || queue.bytes + bytes > (depthBytes ?? Infinity)) {
      port.counts.dropped++;
      return false;
    }
    if (port.waiting === 0) port.free = Math.max(port.free, now);
    queue.push({ item, bytes });
    queue.bytes += bytes;
    port.waiting++;
    port.counts.enqueued++;
    this.busy.add(number);
    return true;
  }

  /** When the next packet is due, or Infinity. */
  nextDeparture(): number {
    let next = Infinity;
    for (const number of this.busy) next = Math.min(next, this.port(number).free);
    return next;
  }

  /** The packet that is due first, if that is not after `now`. */
  dequeue(now: number): Departure<T> | undefined {
    let first: number | undefined;
    let time = Infinity;
    for (const number of this.busy) {
      const { free } = this.port(number);
      if (free < time) [first, time] = [number, free];
    }
    if (first === undefined || time > now) return undefined;
    const port = this.port(first);
    const queue = port.queues.findLast(({ length }) => length > 0);
    const waiting = queue?.shift();
    if (!queue || !waiting) return undefined;
    queue.bytes -= waiting.bytes;
    port.counts.dequeued++;
    if (--port.waiting === 0) this.busy.delete(first);
    return { port: first, item: waiting.item, time, depth: queue.length };
  }

  /** The link of a port is busy from `time` on with a packet; one that egress dropped takes it no time. */
  transmit(number: number, bytes: number, time: number, sent: boolean): void {
    const port = this.port(number);
    const { rateBitsPerSecond, ratePacketsPerSecond } = port.settings;
    const bits = rateBitsPerSecond === undefined ? 0 : (bytes * 8e9) / rateBitsPerSecond;
    const packets = ratePacketsPerSecond === undefined ? 0 : 1e9 / ratePacketsPerSecond;
    port.free = time + (sent ? Math.max(bits, packets) : 0);
  }

  counts(number: number): QueueCounts & { waiting: number } {
    const { counts, waiting } = this.port(number);
    return { ...counts, waiting };
  }

  private port(number: number): Port<T> {
    const known = this.ports.get(number);
    if (known) return known;
    const made = new Port<T>(this.settings.get(number) ?? {}, this.priorities);
    this.ports.set(number, made);
    return made;
  }

  /** A higher number is served first, as in BMv2. */
  private queue(port: Port<T>, priority: number): Fifo<Waiting<T>> {
    const queue = port.queues[Math.min(priority, port.queues.length - 1)];
    if (!queue) throw new Error('a port has at least one queue');
    return queue;
  }
}

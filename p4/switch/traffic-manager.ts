/*
 * The queues between ingress and egress, and the links behind them, one per port. Departures follow a virtual schedule:
 * a packet leaves its queue when the link has finished the previous one, so a late caller does not delay the next
 * departure. The depth counts waiting packets, without the packet that the link is sending.
 */
import { Queues, type QueueSettings } from './link/queues.ts';
import { TokenBucket } from './link/token-bucket.ts';
import { NEVER_BUSY, makeRate, type Rate, type RateSettings } from './link/rate.ts';
import { seededRandom } from '../../system/random/seeded-random.ts';

export interface PortSettings extends QueueSettings {
  /** The link's rate; undefined for a link that is never busy. */
  readonly rate?: RateSettings;
  /** A token bucket in front of the queues: a packet that finds too few tokens is dropped. */
  readonly policer?: { readonly bitsPerSecond: number; readonly burstBytes: number };
}

export interface QueueCounts {
  enqueued: number;
  dequeued: number;
  dropped: number;
}

class Port<T> {
  readonly queues: Queues<T>;
  readonly counts: QueueCounts = { enqueued: 0, dequeued: 0, dropped: 0 };
  readonly rate: Rate;
  readonly policer: TokenBucket | undefined;
  /** Time at which the link finishes the packet that it is sending, in nanoseconds. */
  free = 0;
  /** Time at which the link can start sending the next packet, in nanoseconds. */
  due = 0;

  constructor(settings: PortSettings, priorities: number, seed: number) {
    this.queues = new Queues(settings, priorities);
    this.rate = makeRate(settings.rate ?? NEVER_BUSY, seededRandom(seed));
    const { policer } = settings;
    this.policer = policer && new TokenBucket(policer.bitsPerSecond / 8e9, policer.burstBytes);
  }
}

export interface Departure<T> {
  readonly port: number;
  readonly item: T;
  /** The scheduled time of departure, in nanoseconds. */
  readonly time: number;
  /** Packets that remain in its queue. */
  readonly depth: number;
}

/** The factor of the configured seed. It differs from that of the wires, so that their random sequences differ. */
const SEED_STRIDE = 104_729;

export class TrafficManager<T> {
  private readonly ports = new Map<number, Port<T>>();
  private readonly busy = new Set<number>();
  private readonly settings: ReadonlyMap<number, PortSettings>;
  private readonly priorities: number;
  private readonly seed: number;

  constructor(settings: ReadonlyMap<number, PortSettings>, priorities = 1, seed = 1) {
    this.settings = settings;
    this.priorities = priorities;
    this.seed = seed;
  }

  /** Number of packets in the queue that a packet of this priority would join. */
  depth(port: number, priority: number): number {
    return this.port(port).queues.depth(priority);
  }

  /** Returns false if the packet is lost because the policer rejects it or the queue is full (drop-tail). */
  enqueue(number: number, priority: number, item: T, bytes: number, now: number): boolean {
    const port = this.port(number);
    const wasEmpty = port.queues.waiting === 0;
    const isRefused = port.policer?.take(now, bytes) === false;
    if (isRefused || !port.queues.push(priority, item, bytes)) {
      port.counts.dropped++;
      return false;
    }
    if (wasEmpty) port.due = port.rate.ready(Math.max(port.free, now));
    port.counts.enqueued++;
    this.busy.add(number);
    return true;
  }

  /** The time of the next departure, or Infinity. */
  nextDeparture(): number {
    let next = Infinity;
    for (const number of this.busy) next = Math.min(next, this.port(number).due);
    return next;
  }

  /**
   * Removes the packet with the earliest departure, if the departure is at or before `now`. If egress then does not
   * drop the packet, the caller passes the packet's length to `transmit`.
   */
  dequeue(now: number): Departure<T> | undefined {
    let first: number | undefined;
    let time = Infinity;
    for (const number of this.busy) {
      const { due } = this.port(number);
      if (due < time) [first, time] = [number, due];
    }
    if (first === undefined || time > now) return undefined;
    const port = this.port(first);
    const served = port.queues.shift();
    if (!served) return undefined;
    port.counts.dequeued++;
    // The link stays free unless the caller transmits the packet.
    port.free = time;
    if (port.queues.waiting === 0) this.busy.delete(first);
    return { port: first, item: served.item, time, depth: served.depth };
  }

  /**
   * Occupies the port's link with a packet from `time`; returns when the link finishes. Packets that egress drops use
   * no link time.
   */
  transmit(number: number, bytes: number, time: number): number {
    const port = this.port(number);
    port.free = port.rate.take(time, bytes);
    port.due = port.rate.ready(port.free);
    return port.free;
  }

  counts(number: number): QueueCounts & { waiting: number } {
    const { counts, queues } = this.port(number);
    return { ...counts, waiting: queues.waiting };
  }

  private port(number: number): Port<T> {
    const known = this.ports.get(number);
    if (known) return known;
    const seed = this.seed * SEED_STRIDE + number;
    const made = new Port<T>(this.settings.get(number) ?? {}, this.priorities, seed);
    this.ports.set(number, made);
    return made;
  }
}

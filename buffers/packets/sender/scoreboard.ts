import type { SentStamp } from '../controls/delivery-rate.ts';
import type { TcpState } from '../controls/tcp-state.ts';

interface Segment {
  sent_ms: number;
  /** The number of the segment's last transmission, counted over all transmissions, by which RACK orders segments. */
  order: number;
  state: 'out' | 'sacked' | 'lost';
  retransmitted: boolean;
  stamp: SentStamp | undefined;
}

/** The changes that an ACK makes to the scoreboard. */
export interface Acknowledged {
  /** The number of segments that this ACK reports as arrived for the first time. */
  readonly delivered: number;
  /**
   * The number of segments by which this ACK moves the first unacknowledged segment, including segments that earlier
   * ACKs have reported.
   */
  readonly covered: number;
  /** The round trip, ms, of the acknowledged packet that was sent first. */
  readonly first_ms: number;
  /** The round trip, ms, of the acknowledged packet that was sent last; undefined if unknown. */
  readonly newest_ms: number | undefined;
}

/** A packet is lost without waiting if this many later packets have arrived (net/ipv4/tcp_recovery.c). */
const DUPLICATES = 3;

/**
 * The state of all segments from the first unacknowledged segment. Updates the connection's counts of segments in flight and
 * lost.
 */
export class Scoreboard {
  readonly #tcp: TcpState;
  readonly #segments: Segment[] = [];
  #first = 0;
  /** Number of acknowledged segments after the first unacknowledged one. */
  #sacked = 0;
  #order = 0;
  /** Segments to send: lost ones that were not yet retransmitted, and new ones. */
  #toSend = 0;
  #newestDelivered = 0;

  constructor(tcp: TcpState) {
    this.#tcp = tcp;
  }

  /** Segments that are not acknowledged. */
  get size(): number {
    return this.#segments.length;
  }

  get first(): number {
    return this.#first;
  }

  get next(): number {
    return this.#first + this.#segments.length;
  }

  get hasToSend(): boolean {
    return this.#toSend > 0;
  }

  /** RACK's order of the newest segment that has arrived. */
  get newestDelivered(): number {
    return this.#newestDelivered;
  }

  /** The time at which the oldest unacknowledged segment was sent; undefined if there is none. */
  get oldest_ms(): number | undefined {
    return this.#segments[0]?.sent_ms;
  }

  /**
   * The evidence for losses: `some` if segments after a gap have arrived, `enough` if these suffice to declare losses
   * without waiting.
   */
  get evidence(): 'none' | 'some' | 'enough' {
    return this.#sacked === 0 ? 'none' : this.#sacked >= DUPLICATES ? 'enough' : 'some';
  }

  /** Processes an ACK of all segments below `upTo`, and of the segments in `beyond` (SACK). */
  acknowledge(
    upTo: number,
    beyond: readonly number[],
    now: number,
    onArrived: (stamp: SentStamp, sent_ms: number) => void,
  ): Acknowledged {
    let delivered = 0;
    let first_ms = 0;
    let newest = { order: 0, sent_ms: 0 };
    const take = (segment: Segment | undefined): void => {
      if (!segment || segment.state === 'sacked') return;
      if (segment.state === 'out') this.#tcp.inFlight--;
      else this.#toSend--;
      segment.state = 'sacked';
      delivered++;
      this.#newestDelivered = Math.max(this.#newestDelivered, segment.order);
      if (segment.stamp) onArrived(segment.stamp, segment.sent_ms);
      if (segment.retransmitted) return;
      first_ms = Math.max(first_ms, now - segment.sent_ms);
      if (segment.order > newest.order) newest = segment;
    };
    const covered = Math.max(0, upTo - this.#first);
    for (let at = 0; at < covered; at++) take(this.#segments[at]);
    for (const number of beyond) take(this.#segments[number - this.#first]);
    this.#segments.splice(0, covered);
    this.#sacked += delivered - covered;
    this.#first += covered;
    const newest_ms = newest.order > 0 ? now - newest.sent_ms : undefined;
    return { delivered, covered, first_ms, newest_ms };
  }

  markLost(isLost: (order: number) => boolean): void {
    for (const segment of this.#segments)
      if (segment.state === 'out' && isLost(segment.order)) {
        segment.state = 'lost';
        this.#tcp.inFlight--;
        this.#tcp.lost++;
        this.#toSend++;
      }
  }

  /** Adds new segments to send; returns the first one's index. */
  add(count: number): number {
    const from = this.#segments.length;
    for (let each = 0; each < count; each++)
      this.#segments.push({ sent_ms: 0, order: 0, state: 'lost', retransmitted: false, stamp: undefined });
    this.#toSend += count;
    return from;
  }

  /** Returns the first run of consecutive lost segments, of at most `most` segments. */
  lostRun(most: number): { readonly from: number; readonly count: number } {
    const from = this.#segments.findIndex(({ state }) => state === 'lost');
    let count = 0;
    while (count < most && this.#segments[from + count]?.state === 'lost') count++;
    return { from, count };
  }

  /**
   * Selects the last segment in flight for retransmission, and returns its index. Undefined if no segment is in flight.
   */
  takeLast(): number | undefined {
    const last = this.#segments.findLastIndex(({ state }) => state === 'out');
    const segment = this.#segments[last];
    if (!segment) return undefined;
    segment.state = 'lost';
    this.#tcp.inFlight--;
    this.#toSend++;
    return last;
  }

  /** Marks this many segments as sent, starting at index `from`; returns their numbers. */
  sent(from: number, count: number, now: number, stamp: SentStamp): number[] {
    const numbers: number[] = [];
    for (let at = from; at < from + count; at++) {
      const segment = this.#segments[at];
      if (!segment) continue;
      segment.retransmitted = segment.order > 0;
      segment.sent_ms = now;
      segment.order = ++this.#order;
      segment.state = 'out';
      segment.stamp = stamp;
      numbers.push(this.#first + at);
    }
    this.#toSend -= count;
    this.#tcp.inFlight += count;
    return numbers;
  }
}

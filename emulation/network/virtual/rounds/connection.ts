import { OPPORTUNITY_BYTES } from '../../../../p4/switch/link/trace.ts';
import type { Bottleneck, Passage } from './bottleneck.ts';
import type { CongestionControl } from './congestion/congestion-control.ts';
import { DeliveryRate } from './delivery-rate.ts';
import { power } from '../../../ground/statistics/portable-math.ts';
import { Transfer } from './transfer.ts';

/**
 * The payload of a packet: 1500 bytes minus the headers of IP and TCP with time stamps. The link counts all 1500 bytes.
 */
export const CONTENT_BYTES = 1448;

/** The lowest value of the timeout's margin above the round trip (RFC 6298, with Linux's minimum). */
const LEAST_TIMEOUT_MS = 200;
/** The sender detects a loss only if at least this many later packets arrive: three duplicate ACKs (RFC 5681). */
const ALARM_PACKETS = 3;
/** Linux sends a tail loss probe after two round trips without an ACK. */
const PROBE_ROUND_TRIPS = 2;
/** The length of a paced sender's batches, short enough to respond to changes of the network. */
const PACED_SPAN_MS = 50;
/** Fewer packets than this count as zero, because of rounding errors. */
const NOTHING = 1e-3;
/** The weight of a new sample in the smoothed RTT (RFC 6298). */
const SRTT_WEIGHT = 1 / 8;

/** Packets that have been sent through the bottleneck, for recorders. */
export interface SentPackets extends Passage {
  /** The time at which the server began to send the packets. */
  readonly sent_ms: number;
  /** The duration of sending the packets. */
  readonly sends_ms: number;
  readonly packets: number;
  readonly lost_packets: number;
}

/** A batch that a connection has sent. */
export interface Batch extends SentPackets {
  readonly connection: Connection;
}

export interface Path {
  readonly bottleneck: Bottleneck;
  /** The round-trip time of the idle link. */
  readonly base_ms: number;
  /** The probability of random loss, 0 to 1. */
  readonly loss: number;
  readonly random: () => number;
  readonly observe?: ((batch: Batch) => void) | undefined;
}

/**
 * One TCP connection from the server to the client, simulated in batches of about a round trip: for each batch, when
 * the packets arrive and how many are lost.
 */
export class Connection {
  readonly name: string;
  readonly control: CongestionControl;
  readonly #path: Path;
  /** The time at which the next batch leaves the server; Infinity while there is nothing to send. */
  next_ms = Infinity;
  sent_bytes = 0;
  retransmitted_bytes = 0;
  srtt_ms = NaN;
  least_rtt_ms = Infinity;
  readonly delivery: DeliveryRate;
  #transfer: Transfer | undefined;
  /** The requested pace, packets/ms. */
  #pace = Infinity;
  #lastSent_ms = -Infinity;
  /** The number of consecutive batches of which too few packets arrived to reveal a loss. */
  #silences = 0;
  /** The time over which the ACKs of the previous batch arrive. */
  #clock_ms = 0;
  /** Packets whose loss the sender has not detected yet, so that it has not sent them again. */
  #undetected = 0;
  #detected_ms = -Infinity;
  /** Identifies this connection and its copies to the bottleneck and to the bottleneck's copies. */
  #sender: object = {};

  constructor(name: string, control: CongestionControl, path: Path, delivery = new DeliveryRate()) {
    this.name = name;
    this.control = control;
    this.#path = path;
    this.delivery = delivery;
  }

  /** Copies the connection and its response in progress. The copy uses `path`, a copy of this connection's path. */
  copy(path: Path): Connection {
    const copy = new Connection(this.name, this.control.copy(), path, this.delivery.copy());
    const { next_ms, sent_bytes, retransmitted_bytes, srtt_ms, least_rtt_ms } = this;
    Object.assign(copy, { next_ms, sent_bytes, retransmitted_bytes, srtt_ms, least_rtt_ms });
    copy.#transfer = this.#transfer?.copy();
    copy.#pace = this.#pace;
    copy.#lastSent_ms = this.#lastSent_ms;
    copy.#silences = this.#silences;
    copy.#clock_ms = this.#clock_ms;
    copy.#undetected = this.#undetected;
    copy.#detected_ms = this.#detected_ms;
    copy.#sender = this.#sender;
    return copy;
  }

  /** Starts a response at `from_ms`. The pace counts the content, kbit/s; null for an unpaced response. */
  send(size_bytes: number, pace_kbps: number | null, from_ms: number): Transfer {
    const { control } = this;
    // The previous response is complete, so the losses of its packets cannot delay it any more.
    if (this.#path.bottleneck.forgetLosses(this.#sender) > 0) control.lost();
    const idle_ms = from_ms - this.#lastSent_ms;
    if (Number.isFinite(idle_ms)) control.idled(idle_ms, this.#timeout_ms);
    this.#pace = pace_kbps === null ? Infinity : pace_kbps / 8 / CONTENT_BYTES;
    this.#clock_ms = 0;
    this.#undetected = 0;
    this.delivery.begin();
    this.next_ms = from_ms;
    return (this.#transfer = new Transfer(size_bytes));
  }

  /** Simulates that the connection has carried this many packets before the session, with a window of ten. */
  warm(packets: number): void {
    const { base_ms, bottleneck } = this.#path;
    this.#measure(base_ms, packets);
    this.delivery.begin();
    const ends_ms = bottleneck.capacity.timeToCarry(0, packets * OPPORTUNITY_BYTES);
    this.delivery.sample({
      ...{ now_ms: 0, sends_ms: 0, begins_ms: 0, ends_ms, base_ms },
      ...{ arrived: packets, share: 1, paced: false },
    });
    this.control.acknowledged({
      packets,
      inFlight: packets,
      rtt_ms: base_ms,
      least_rtt_ms: base_ms,
      now_ms: 0,
      rate: packets / base_ms,
      windowLimited: true,
    });
  }

  /** Handles a client's disconnection: data in flight still arrive, and nothing more is sent. */
  abort(now_ms: number): void {
    this.next_ms = Infinity;
    this.#transfer = undefined;
    this.#path.bottleneck.withdraw(this.#sender, now_ms);
  }

  /** Sends the batch that is due at `next_ms`. */
  sendBatch(): void {
    const transfer = this.#transfer;
    if (!transfer) return;
    const { control } = this;
    const { bottleneck, base_ms } = this.#path;
    const now_ms = this.next_ms;
    const pace = Math.min(this.#pace, control.pace);
    const rtt_ms = this.srtt_ms > 0 ? this.srtt_ms : base_ms;
    const resends = now_ms >= this.#detected_ms;
    if (resends) this.#undetected = 0;
    const left = transfer.remaining_bytes / CONTENT_BYTES - this.#undetected;
    if (this.#undetected > 0 && left <= NOTHING) {
      this.next_ms = this.#detected_ms;
      return;
    }
    const window = Math.max(1, Math.floor(control.window));
    const paced = this.#isPaced(pace, window, rtt_ms);
    const packets = Math.min(left, paced ? Math.max(1, pace * PACED_SPAN_MS) : window);
    const sends_ms = Math.max(packets / pace, paced ? 0 : this.#clock_ms * Math.min(1, packets / window));
    const batch = { from_ms: now_ms, to_ms: now_ms + sends_ms, bytes: packets * OPPORTUNITY_BYTES };
    const passage = bottleneck.pass(batch, this.#sender);
    const lost = Math.min(packets, passage.dropped_bytes / OPPORTUNITY_BYTES + this.#lostAtRandom(packets));
    const lostEarlier = passage.droppedEarlier_bytes / OPPORTUNITY_BYTES;
    const came = packets - lost;

    this.sent_bytes += packets * CONTENT_BYTES;
    this.#lastSent_ms = now_ms + sends_ms;
    this.#deliver(transfer, passage, came - lostEarlier);
    if (resends) transfer.recordRepair(passage.begins_ms + base_ms / 2);
    this.#react({ now_ms, sends_ms, packets, came, lostEarlier, passage, paced, pace, window });
    const dropped_bytes = passage.dropped_bytes + passage.droppedEarlier_bytes;
    const lost_packets = Math.min(packets, lost + lostEarlier);
    this.#path.observe?.({
      ...{ ...passage, dropped_bytes, connection: this, sent_ms: now_ms, sends_ms, packets, lost_packets },
    });
  }

  /**
   * Whether the pace, and not the window, limits the sender for the next span, even if the link is slower for a while.
   */
  #isPaced(pace: number, window: number, rtt_ms: number): boolean {
    const spare = window - pace * rtt_ms;
    if (!(spare > 0)) return false;
    const { bottleneck } = this.#path;
    const { next_ms: now_ms } = this;
    const carried =
      bottleneck.capacity.bytesBetween(now_ms, now_ms + PACED_SPAN_MS) - bottleneck.queued(now_ms);
    return pace * PACED_SPAN_MS - carried / OPPORTUNITY_BYTES <= spare;
  }

  /**
   * Delivers packets. If earlier packets are only now known to be lost, they are subtracted, so `came` may be below 0.
   */
  #deliver(transfer: Transfer, { begins_ms, ends_ms }: Passage, came: number): void {
    const half_ms = this.#path.base_ms / 2;
    if (came > 0) transfer.recordArrival(begins_ms + half_ms, ends_ms + half_ms, came * CONTENT_BYTES);
    if (!(transfer.first_ms <= begins_ms + half_ms) && came > 0) transfer.first_ms = begins_ms + half_ms;
    transfer.remaining_bytes -= came * CONTENT_BYTES;
    // A remainder of less than a byte is a rounding error.
    if (transfer.remaining_bytes < 1) transfer.ends_ms = ends_ms + half_ms;
  }

  #react(batch: {
    readonly now_ms: number;
    readonly sends_ms: number;
    readonly packets: number;
    readonly came: number;
    /** Packets of earlier batches whose loss was only now determined. */
    readonly lostEarlier: number;
    readonly passage: Passage;
    readonly paced: boolean;
    readonly pace: number;
    readonly window: number;
  }): void {
    const { control } = this;
    const { now_ms, sends_ms, packets, came, lostEarlier, passage, paced, pace, window } = batch;
    const { begins_ms, ends_ms } = passage;
    const { base_ms } = this.#path;
    const lost = packets - came + lostEarlier;
    const firstRtt_ms = begins_ms - now_ms + base_ms;
    const lastRtt_ms = Math.max(base_ms, ends_ms - now_ms - sends_ms + base_ms);
    const share = Math.min(1, packets / window);
    this.delivery.sample({ now_ms, sends_ms, begins_ms, ends_ms, base_ms, arrived: came, share, paced });
    this.#measure((firstRtt_ms + lastRtt_ms) / 2, came);
    this.#clock_ms = ends_ms - begins_ms;
    const ack_ms = begins_ms + base_ms + (ends_ms - begins_ms) / Math.max(1, came);
    if (lost > 1e-9) {
      this.#transfer?.recordLoss(ends_ms + base_ms / 2);
      this.retransmitted_bytes += lost * CONTENT_BYTES;
      if (came < ALARM_PACKETS) {
        this.#missAlarm(now_ms + sends_ms);
        return;
      }
      this.#silences = 0;
      control.lost();
      // The last packets of the batch found the queue full, so the ACKs of the packets before them arrive first.
      // Proportional rate reduction (RFC 6937) then spreads the retransmissions over a round trip.
      this.#undetected += lost;
      this.#detected_ms = Math.max(this.#detected_ms, ends_ms + 2 * base_ms);
    } else {
      this.#silences = 0;
      control.acknowledged({
        packets,
        inFlight: Math.min(packets, pace * lastRtt_ms),
        rtt_ms: lastRtt_ms,
        least_rtt_ms: this.least_rtt_ms,
        now_ms: ack_ms,
        rate: packets / Math.max(ends_ms - begins_ms, firstRtt_ms),
        windowLimited: !paced && packets >= window,
      });
    }
    this.next_ms = paced ? now_ms + sends_ms : Math.max(ack_ms, now_ms + sends_ms);
    this.#finish();
  }

  /**
   * Too few packets arrived to reveal the loss: a probe reveals it (RFC 8985 §7), or a timeout if the probe is lost
   * too.
   */
  #missAlarm(sent_ms: number): void {
    const { control } = this;
    this.#clock_ms = 0;
    this.#undetected = 0;
    this.#silences += 1;
    const probed = this.#silences === 1;
    if (probed) control.lost();
    else control.timedOut();
    const rtt_ms = this.srtt_ms > 0 ? this.srtt_ms : this.#path.base_ms;
    this.next_ms =
      sent_ms + (probed ? PROBE_ROUND_TRIPS * rtt_ms : this.#timeout_ms * 2 ** (this.#silences - 2));
    this.#detected_ms = this.next_ms;
    this.#finish();
  }

  #finish(): void {
    if (!this.#transfer || this.#transfer.ends_ms === Infinity) return;
    this.next_ms = Infinity;
    this.#transfer = undefined;
  }

  #measure(rtt_ms: number, packets: number): void {
    this.least_rtt_ms = Math.min(this.least_rtt_ms, rtt_ms);
    const kept = this.srtt_ms > 0 ? power(1 - SRTT_WEIGHT, Math.max(1, packets / 2)) : 0;
    this.srtt_ms = kept > 0 ? this.srtt_ms * kept + rtt_ms * (1 - kept) : rtt_ms;
  }

  get #timeout_ms(): number {
    return LEAST_TIMEOUT_MS + (this.srtt_ms > 0 ? this.srtt_ms : this.#path.base_ms);
  }

  /**
   * The number of randomly lost packets. Fractions are rounded at random, so that at a loss rate of one in a thousand,
   * one batch of ten packets in a hundred loses a packet.
   */
  #lostAtRandom(packets: number): number {
    const { loss, random } = this.#path;
    if (loss === 0) return 0;
    const mean = packets * loss;
    const whole = Math.floor(mean);
    return whole + (random() < mean - whole ? 1 : 0);
  }
}

import type { CongestionControl } from './controls/congestion-control.ts';
import { controlNamed, type VirtualControl } from './controls/control-named.ts';
import { DeliveryRate, type SentStamp } from './controls/delivery-rate.ts';
import type { KernelRules } from './kernel-rules.ts';
import { INITIAL_WINDOW, newTcpState, type TcpState } from './controls/tcp-state.ts';

/** What a sender needs of the world around it. Times are in ms, data in segments of one packet each. */
export interface SenderWorld {
  readonly now_ms: () => number;
  /** Calls `act` then, after what is already due at that time. */
  readonly at: (time_ms: number, act: () => void) => void;
  /** Gives segments to the interface, one behind the other. */
  readonly transmit: (numbers: readonly number[]) => void;
  /** From 0 to below 1. */
  readonly random: () => number;
}

export interface SenderOptions {
  readonly congestion_control: VirtualControl;
  /** TCP-internal pacing; BBR paces in any case. */
  readonly paced: boolean;
  readonly kernel: KernelRules;
  /** The most segments that leave as one, by segmentation offload. */
  readonly burst_packets: number;
  /** The round trip that the handshake has measured; missing: none has been yet. */
  readonly handshake_ms?: number | undefined;
  /** See `BbrWorld`. */
  readonly detectsPolicers?: boolean | undefined;
  /** A server: it has only what `give` has given it. Missing: it always has data. */
  readonly responds?: boolean | undefined;
  /** Segments for which the receiver has room; missing: it always has. */
  readonly receive_window?: number | undefined;
}

export interface SenderCounts {
  acked: number;
  sent: number;
  retransmitted: number;
  /** ACKs at which the window might have grown, and those at which it was said to be what limits the sender. */
  acks: number;
  limitedAcks: number;
  /** Of the timer for retransmissions. */
  timeouts: number;
  /** All ACKs, and those at which BBR believed in a policer. */
  allAcks: number;
  policedAcks: number;
}

interface Segment {
  sent_ms: number;
  /** Counts transmissions: RACK's order. */
  order: number;
  state: 'out' | 'sacked' | 'lost';
  retransmitted: boolean;
  stamp: SentStamp | undefined;
}

/** net/ipv4/tcp_recovery.c: so many behind it make a packet lost without waiting. */
const DUPLICATES = 3;
/** `tcp_tso_win_divisor`. */
const WINDOW_DIVISOR = 3;
/** A segment is deferred only so long after the last one. */
const RECENT_MS = 1;
const LEAST_RTO_MS = 200;
/** A tail is probed after two round trips and so much (two ticks of a kernel with HZ=250, our choice). */
const PROBE_SLACK_MS = 8;
const LEAST_BURST = 2;
/** `sk_pacing_shift`: a burst is what the pacing rate sends in 1/1024 s. */
const BURSTS_A_MS = 1.024;
/** Of a window at rest, the threshold keeps so much (`tcp_current_ssthresh`). */
const KEPT_AT_REST = 0.75;
/** `tcp_pacing_ss_ratio`, `tcp_pacing_ca_ratio`. */
const PACING = { slowStart: 2, avoidance: 1.2 };

/**
 * Linux's TCP sender, as far as it decides when and how much to send: segmentation offload with its deferral, pacing, the
 * rule by which a window that is not used does not grow, RACK, tail loss probes and proportional rate reduction; of a server,
 * its responses, their pace, the receive window and the decay of a window at rest. Small queues, undoing and the backoff of
 * its timer are not in it.
 */
export class LinuxSender {
  readonly counts: SenderCounts = {
    ...{ acked: 0, sent: 0, retransmitted: 0, acks: 0, limitedAcks: 0 },
    ...{ timeouts: 0, allAcks: 0, policedAcks: 0 },
  };
  readonly #world: SenderWorld;
  readonly #options: SenderOptions;
  readonly #tcp: TcpState;
  readonly #rate = new DeliveryRate();
  readonly #control: CongestionControl;
  #paced: boolean;
  /** From the first unacknowledged segment on. */
  readonly #window: Segment[] = [];
  #first = 0;
  /** Acknowledged beyond the first. */
  #sacked = 0;
  /** Lost and not yet sent again, and what is to be sent for the first time. */
  #toSend = 0;
  #order = 0;
  #newestDelivered = 0;
  #kicked = false;
  /** Of the piece of data at the head of the queue, which is sent whole if possible. */
  #piece: number;
  #recovery: { readonly until: number; readonly before: number; delivered: number; out: number } | undefined;
  #rtoAt_ms = Infinity;
  #probeAt_ms = Infinity;
  #probeWake_ms = Infinity;
  /** One probe at a time: what was sent up to it has to be acknowledged first. */
  #probedUpTo = 0;
  #limited = false;
  #mostOut = 0;
  #mostOutUntil = 0;
  /** Given and not yet sent for the first time. */
  #unsent: number;
  /** Of the response's pace, packets a ms. */
  #mostRate = Infinity;
  #lastSent_ms = -Infinity;
  #rtoWaits = false;
  #closed = false;
  /** Segments that left, and those of them that filled the receive window. */
  readonly flow = { sent: 0, receiveLimited: 0 };

  constructor(world: SenderWorld, options: SenderOptions) {
    this.#world = world;
    this.#options = options;
    this.#piece = options.burst_packets;
    this.#unsent = options.responds === true ? 0 : Infinity;
    this.#tcp = newTcpState(world.now_ms);
    const { handshake_ms } = options;
    if (handshake_ms !== undefined) this.#measured(handshake_ms, handshake_ms);
    this.#control = controlNamed(options.congestion_control, this.#tcp, {
      rate: this.#rate,
      random: world.random,
      burstAt: (pacingRate) => this.#burstAt(pacingRate),
      ...(options.detectsPolicers !== undefined && { detectsPolicers: options.detectsPolicers }),
    });
    this.#paced = options.paced || this.#control.ownsWindow;
  }

  get window(): number {
    return this.#tcp.window;
  }

  /** The least round trip so far, ms; infinite before the first. */
  get leastRtt_ms(): number {
    return this.#tcp.leastRtt_ms;
  }

  /** Smoothed; 0 before the first. */
  get srtt_ms(): number {
    return this.#tcp.srtt_ms;
  }

  get #next(): number {
    return this.#first + this.#window.length;
  }

  start(): void {
    this.#restartTimer();
    this.#send();
  }

  /** So many more segments are to be sent, at this pace at most (SO_MAX_PACING_RATE), packets a ms. */
  give(segments: number, pace = Infinity): void {
    this.#mostRate = pace;
    this.#paced = this.#options.paced || this.#control.ownsWindow || pace < Infinity;
    if (this.#window.length === 0) this.#restart();
    this.#unsent += segments;
    this.#send();
  }

  /** The client is gone: nothing more is sent. */
  close(): void {
    this.#closed = true;
    this.#rtoAt_ms = this.#probeAt_ms = Infinity;
  }

  /** Halves the window for each timeout that it was at rest (`tcp_cwnd_restart`). */
  #restart(): void {
    const tcp = this.#tcp;
    const rest_ms = this.#world.now_ms() - this.#lastSent_ms;
    const { window } = tcp;
    if (rest_ms === Infinity || rest_ms <= this.#rto_ms || this.#control.ownsWindow) return;
    tcp.threshold = Math.max(tcp.threshold, Math.floor(KEPT_AT_REST * window));
    const least = Math.min(INITIAL_WINDOW, window);
    tcp.window = Math.max(least, Math.floor(window / 2 ** Math.floor(rest_ms / this.#rto_ms)));
  }

  /** An ACK of all below `upTo`, and of these beyond. */
  acknowledge(upTo: number, beyond: readonly number[]): void {
    if (this.#closed) return;
    const now = this.#world.now_ms();
    const inFlightBefore = this.#tcp.inFlight;
    const lostBefore = this.#tcp.lost;
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
      if (segment.stamp) this.#rate.arrived(segment.stamp, segment.sent_ms);
      if (segment.retransmitted) return;
      first_ms = Math.max(first_ms, now - segment.sent_ms);
      if (segment.order > newest.order) newest = segment;
    };
    const covered = Math.max(0, upTo - this.#first);
    for (let at = 0; at < covered; at++) take(this.#window[at]);
    for (const number of beyond) take(this.#window[number - this.#first]);
    this.#window.splice(0, covered);
    this.#sacked += delivered - covered;
    this.#first += covered;
    this.counts.acked += covered;
    this.counts.allAcks++;
    const rtt_ms = newest.order > 0 ? now - newest.sent_ms : undefined;
    if (rtt_ms !== undefined) this.#measured(first_ms, rtt_ms);
    // A server that has sent all it was given waits for nothing.
    if (this.#window.length === 0 && this.#unsent < Infinity) this.#rtoAt_ms = Infinity;
    else if (covered > 0) this.#restartTimer();
    this.#findLost();
    const rate = this.#rate.sample(now, this.#tcp.leastRtt_ms);
    this.#leaveRecovery();
    this.#enterRecovery();
    const deliveredInAll = this.#rate.delivered;
    const lost = this.#tcp.lost - lostBefore;
    const ack = { delivered, lost, rtt_ms, inFlightBefore, deliveredInAll, rate };
    if (this.#control.isPoliced) this.counts.policedAcks++;
    if (this.#control.ownsWindow) this.#control.acked(ack);
    else {
      if (this.#recovery) this.#reduce(delivered, covered > 0);
      else if (delivered > 0 && this.#mayGrow()) this.#control.acked(ack);
      this.#setPacingRate();
    }
    if (covered > 0) this.#awaitProbe();
    this.#send();
  }

  /** The smoothed round trip is of the packet that was sent first, the least of the one that was sent last. */
  #measured(first_ms: number, newest_ms: number): void {
    const tcp = this.#tcp;
    tcp.leastRtt_ms = Math.min(tcp.leastRtt_ms, newest_ms);
    tcp.srtt_ms = tcp.srtt_ms === 0 ? first_ms : tcp.srtt_ms + (first_ms - tcp.srtt_ms) / 8;
  }

  /** RACK: what was sent before something that has arrived is lost; without enough evidence, a quarter of a round trip later. */
  #findLost(): void {
    if (this.#sacked === 0) return;
    if (this.#recovery || this.#sacked >= DUPLICATES)
      this.#markLost((order) => order < this.#newestDelivered);
    else {
      const seen = this.#newestDelivered;
      this.#world.at(this.#world.now_ms() + this.#tcp.leastRtt_ms / 4, () => {
        if (seen !== this.#newestDelivered) return;
        this.#markLost((order) => order < seen);
        this.#enterRecovery();
        this.#send();
      });
    }
  }

  #markLost(isLost: (order: number) => boolean): void {
    for (const segment of this.#window)
      if (segment.state === 'out' && isLost(segment.order)) {
        segment.state = 'lost';
        this.#tcp.inFlight--;
        this.#tcp.lost++;
        this.#toSend++;
      }
  }

  #enterRecovery(): void {
    if (this.#recovery || this.#toSend === 0) return;
    const before = this.#tcp.window;
    this.#tcp.threshold = this.#control.thresholdAfterLoss();
    this.#recovery = { until: this.#next, before, delivered: 0, out: 0 };
    this.#tcp.phase = 'recovery';
    this.#probeAt_ms = Infinity;
  }

  #leaveRecovery(): void {
    if (!this.#recovery || this.#first < this.#recovery.until) return;
    this.#recovery = undefined;
    this.#tcp.phase = 'open';
    if (!this.#control.ownsWindow) this.#tcp.window = this.#tcp.threshold;
  }

  /** Proportional rate reduction (RFC 6937). */
  #reduce(delivered: number, advanced: boolean): void {
    if (!this.#recovery) return;
    const { before, out } = this.#recovery;
    const { threshold, inFlight } = this.#tcp;
    this.#recovery.delivered += delivered;
    const sum = this.#recovery.delivered;
    const room = threshold - inFlight;
    const share = Math.ceil((threshold * sum) / before) - out;
    const more = advanced ? Math.max(sum - out, delivered) + 1 : delivered;
    const count = room < 0 ? share : Math.min(room, more);
    this.#tcp.window = inFlight + Math.max(count, out > 0 ? 0 : 1);
  }

  #mayGrow(): boolean {
    const { window, threshold } = this.#tcp;
    this.counts.acks++;
    if (this.#limited) this.counts.limitedAcks++;
    return this.#limited || (window < threshold && window < 2 * this.#mostOut);
  }

  #setPacingRate(): void {
    const { srtt_ms, window, threshold } = this.#tcp;
    if (srtt_ms === 0) return;
    const ratio = window < threshold / 2 ? PACING.slowStart : PACING.avoidance;
    this.#tcp.pacingRate = (ratio * Math.max(window, this.#window.length)) / srtt_ms;
  }

  #burstAt(pacingRate: number): number {
    const most = Math.max(LEAST_BURST, Math.floor(pacingRate / BURSTS_A_MS));
    return Math.min(this.#options.burst_packets, most);
  }

  get #pacingRate(): number {
    return Math.min(this.#tcp.pacingRate, this.#mostRate);
  }

  /** What may be sent for the first time now. */
  get #quota(): number {
    const { receive_window = Infinity } = this.#options;
    const { window, inFlight } = this.#tcp;
    return Math.min(window - inFlight, this.#unsent, receive_window - this.#window.length);
  }

  #send(): void {
    if (this.#closed) return;
    this.#retransmit();
    const { kernel, burst_packets } = this.#options;
    const burst = this.#burstAt(this.#pacingRate);
    let sent = 0;
    let limited = false;
    while (!this.#mustWait()) {
      const quota = this.#quota;
      if (quota <= 0) break;
      if (this.#piece > 1 && burst > 1 && this.#defers(quota, burst)) {
        limited = true;
        break;
      }
      const count = Math.min(quota, burst, this.#piece);
      this.#piece = this.#piece === count ? burst_packets : this.#piece - count;
      this.#sendNew(count);
      if (this.#recovery) this.#recovery.out += count;
      sent += count;
    }
    if (sent > 0) this.#awaitProbe();
    if (sent > 0 && this.#rtoAt_ms === Infinity) this.#restartTimer();
    this.#noteUse(kernel, { sent, limited });
  }

  #sendNew(count: number): void {
    const nothingOut = this.#window.length === 0;
    for (let each = 0; each < count; each++)
      this.#window.push({ sent_ms: 0, order: 0, state: 'lost', retransmitted: false, stamp: undefined });
    this.#toSend += count;
    this.#unsent -= count;
    this.flow.sent += count;
    if (this.#window.length >= (this.#options.receive_window ?? Infinity)) this.flow.receiveLimited += count;
    this.#transmit(this.#window.length - count, count, nothingOut);
  }

  /** The head of the queue waits for more room in the window, so that it can leave as one: `tcp_tso_should_defer`. */
  #defers(quota: number, burst: number): boolean {
    const now = this.#world.now_ms();
    const { window, srtt_ms, nextBurst_ms } = this.#tcp;
    const [oldest] = this.#window;
    // Until a round trip has been measured.
    const isFirst = srtt_ms === 0;
    if (this.#recovery || !oldest || isFirst || now - nextBurst_ms > RECENT_MS) return false;
    if (quota >= burst || quota >= this.#piece || quota * WINDOW_DIVISOR >= window) return false;
    return now - oldest.sent_ms >= srtt_ms / 2;
  }

  /** `tcp_cwnd_validate`: whether the window was what held the sender back. */
  #noteUse(
    kernel: KernelRules,
    { sent, limited }: { readonly sent: number; readonly limited: boolean },
  ): void {
    const full = limited || this.#tcp.inFlight >= this.#tcp.window;
    if (sent === 0 && !(full && kernel.notesDeferralAlone)) return;
    const out = this.#window.length;
    const takes =
      this.#first >= this.#mostOutUntil ||
      (full && kernel.notesDeferralAlone) ||
      (out > this.#mostOut && !(kernel.keepsLimited && this.#limited));
    if (!takes) return;
    this.#mostOut = out;
    this.#mostOutUntil = this.#next;
    this.#limited = full;
  }

  #retransmit(): void {
    while (this.#recovery && this.#toSend > 0 && !this.#mustWait()) {
      const quota = this.#tcp.window - this.#tcp.inFlight;
      if (quota <= 0) return;
      const from = this.#window.findIndex(({ state }) => state === 'lost');
      let count = 0;
      while (
        count < Math.min(quota, this.#options.burst_packets) &&
        this.#window[from + count]?.state === 'lost'
      )
        count++;
      this.#transmit(from, count, false);
      this.counts.retransmitted += count;
      this.#recovery.out += count;
    }
  }

  #transmit(from: number, count: number, nothingOut: boolean): void {
    const now = this.#world.now_ms();
    const numbers: number[] = [];
    const stamp = this.#rate.stamp(now, nothingOut);
    for (let at = from; at < from + count; at++) {
      const segment = this.#window[at];
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
    this.counts.sent += count;
    this.#lastSent_ms = now;
    this.#pace(count, now);
    this.#world.transmit(numbers);
  }

  /** When the next burst may leave; one that left late is given half of its own time back at most. */
  #pace(count: number, now: number): void {
    const tcp = this.#tcp;
    const before = tcp.nextBurst_ms;
    tcp.nextBurst_ms = Math.max(before, now);
    const rate = this.#pacingRate;
    if (!this.#paced || rate === Infinity) return;
    const length_ms = count / rate;
    tcp.nextBurst_ms += length_ms - Math.min(length_ms / 2, tcp.nextBurst_ms - before);
  }

  #mustWait(): boolean {
    const { nextBurst_ms } = this.#tcp;
    if (!this.#paced || nextBurst_ms <= this.#world.now_ms()) return false;
    if (!this.#kicked) {
      this.#kicked = true;
      this.#world.at(nextBurst_ms, () => {
        this.#kicked = false;
        this.#send();
      });
    }
    return true;
  }

  get #rto_ms(): number {
    return Math.max(LEAST_RTO_MS, 2 * this.#tcp.srtt_ms);
  }

  #restartTimer(): void {
    const due = this.#world.now_ms() + this.#rto_ms;
    this.#rtoAt_ms = due;
    if (!this.#rtoWaits) this.#wakeAt(due);
  }

  #wakeAt(due: number): void {
    this.#rtoWaits = true;
    this.#world.at(due, () => {
      this.#rtoWaits = false;
      if (this.#rtoAt_ms === Infinity) return;
      if (this.#world.now_ms() < this.#rtoAt_ms) this.#wakeAt(this.#rtoAt_ms);
      else this.#timeOut();
    });
  }

  #timeOut(): void {
    this.counts.timeouts++;
    this.#markLost(() => true);
    // A window is halved once, also if the timer ends its recovery.
    if (this.#recovery) this.#recovery = { ...this.#recovery, until: this.#next, delivered: 0, out: 0 };
    else this.#enterRecovery();
    this.#tcp.phase = 'timeout';
    this.#control.timedOut();
    this.#tcp.window = 1;
    this.#rtoAt_ms = Infinity;
    this.#restartTimer();
    this.#send();
  }

  /** A tail of which nothing is heard is probed, long before the timer for retransmissions: `tcp_schedule_loss_probe`. */
  #awaitProbe(): void {
    const { srtt_ms } = this.#tcp;
    const out = this.#window.length;
    if (this.#recovery || srtt_ms === 0 || out === 0 || this.#first < this.#probedUpTo) {
      this.#probeAt_ms = Infinity;
      return;
    }
    const slack_ms = out === 1 ? LEAST_RTO_MS : PROBE_SLACK_MS;
    this.#probeAt_ms = Math.min(this.#world.now_ms() + 2 * srtt_ms + slack_ms, this.#rtoAt_ms);
    if (this.#probeAt_ms < this.#probeWake_ms) this.#wakeProbe(this.#probeAt_ms);
  }

  #wakeProbe(due: number): void {
    this.#probeWake_ms = due;
    this.#world.at(due, () => {
      if (this.#probeWake_ms !== due) return;
      this.#probeWake_ms = Infinity;
      if (this.#probeAt_ms === Infinity) return;
      if (this.#world.now_ms() < this.#probeAt_ms) this.#wakeProbe(this.#probeAt_ms);
      else this.#probe();
    });
  }

  /** One packet more than the window allows, or the last one again, whose ACK shows what is missing before it. */
  #probe(): void {
    this.#probeAt_ms = Infinity;
    const { receive_window = Infinity } = this.#options;
    if (Math.min(this.#unsent, receive_window - this.#window.length) > 0) this.#sendNew(1);
    else this.#sendLastAgain();
    this.#probedUpTo = this.#next;
    this.#restartTimer();
  }

  #sendLastAgain(): void {
    const last = this.#window.findLastIndex(({ state }) => state === 'out');
    const segment = this.#window[last];
    if (!segment) return;
    segment.state = 'lost';
    this.#tcp.inFlight--;
    this.#toSend++;
    this.counts.retransmitted++;
    this.#transmit(last, 1, false);
  }
}

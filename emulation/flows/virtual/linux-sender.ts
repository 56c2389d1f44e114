import type { KernelRules } from './kernel-rules.ts';

/** What a sender needs of the world around it. Times are in ms, data in segments of one packet each. */
export interface SenderWorld {
  readonly now_ms: () => number;
  /** Calls `act` then, after what is already due at that time. */
  readonly at: (time_ms: number, act: () => void) => void;
  /** Gives segments to the interface, one behind the other. */
  readonly transmit: (numbers: readonly number[]) => void;
}

export interface SenderOptions {
  /** TCP-internal pacing. */
  readonly paced: boolean;
  readonly kernel: KernelRules;
  /** The most segments that leave as one, by segmentation offload. */
  readonly burst_packets: number;
}

export interface SenderCounts {
  acked: number;
  sent: number;
  retransmitted: number;
  /** ACKs at which the window might have grown, and those at which it was said to be what limits the sender. */
  acks: number;
  limitedAcks: number;
}

interface Segment {
  sent_ms: number;
  /** Counts transmissions: RACK's order. */
  order: number;
  state: 'out' | 'sacked' | 'lost';
  retransmitted: boolean;
}

const INITIAL_WINDOW = 10;
const LEAST_WINDOW = 2;
/** net/ipv4/tcp_recovery.c: so many behind it make a packet lost without waiting. */
const DUPLICATES = 3;
/** `tcp_tso_win_divisor`. */
const WINDOW_DIVISOR = 3;
/** A segment is deferred only so long after the last one. */
const RECENT_MS = 1;
const LEAST_RTO_MS = 200;
const LEAST_BURST = 2;
/** `sk_pacing_shift`: a burst is what the pacing rate sends in 1/1024 s. */
const BURSTS_A_MS = 1.024;
/** `tcp_pacing_ss_ratio`, `tcp_pacing_ca_ratio`. */
const PACING = { slowStart: 2, avoidance: 1.2 };

/**
 * Linux's TCP sender with Reno, as far as it decides when and how much to send: segmentation offload with its deferral,
 * pacing, the rule by which a window that is not used does not grow, RACK and proportional rate reduction. It always has
 * data. Receive windows, small queues, tail loss probes and undoing are not in it.
 */
export class LinuxSender {
  readonly counts: SenderCounts = { acked: 0, sent: 0, retransmitted: 0, acks: 0, limitedAcks: 0 };
  readonly #world: SenderWorld;
  readonly #options: SenderOptions;
  /** From the first unacknowledged segment on. */
  readonly #window: Segment[] = [];
  #first = 0;
  #cwnd = INITIAL_WINDOW;
  #grown = 0;
  #ssthresh = Infinity;
  #inFlight = 0;
  #lost = 0;
  #order = 0;
  #newestDelivered = 0;
  #srtt_ms = 0;
  #leastRtt_ms = Infinity;
  #pacingRate = Infinity;
  /** `tcp_wstamp_ns`: when the last burst left, or when the next one may. */
  #stamp_ms = -Infinity;
  #kicked = false;
  /** Of the piece of data at the head of the queue, which is sent whole if possible. */
  #piece: number;
  #recovery: { readonly until: number; readonly before: number; delivered: number; out: number } | undefined;
  #rtoAt_ms = Infinity;
  #limited = false;
  #mostOut = 0;
  #mostOutUntil = 0;

  constructor(world: SenderWorld, options: SenderOptions) {
    this.#world = world;
    this.#options = options;
    this.#piece = options.burst_packets;
  }

  get window(): number {
    return this.#cwnd;
  }

  get #next(): number {
    return this.#first + this.#window.length;
  }

  start(): void {
    this.#restartTimer();
    this.#send();
  }

  /** An ACK of all below `upTo`, and of these beyond. */
  acknowledge(upTo: number, beyond: readonly number[]): void {
    const now = this.#world.now_ms();
    let delivered = 0;
    let rtt_ms = 0;
    const take = (segment: Segment | undefined): void => {
      if (!segment || segment.state === 'sacked') return;
      if (segment.state === 'out') this.#inFlight--;
      else this.#lost--;
      segment.state = 'sacked';
      delivered++;
      this.#newestDelivered = Math.max(this.#newestDelivered, segment.order);
      if (!segment.retransmitted) rtt_ms = Math.max(rtt_ms, now - segment.sent_ms);
    };
    const covered = Math.max(0, upTo - this.#first);
    for (let at = 0; at < covered; at++) take(this.#window[at]);
    for (const number of beyond) take(this.#window[number - this.#first]);
    this.#window.splice(0, covered);
    this.#first += covered;
    this.counts.acked += covered;
    if (rtt_ms > 0) this.#measured(rtt_ms);
    if (covered > 0) this.#restartTimer();
    this.#findLost();
    this.#adapt(delivered, covered > 0);
    this.#setPacingRate();
    this.#send();
  }

  #measured(rtt_ms: number): void {
    this.#leastRtt_ms = Math.min(this.#leastRtt_ms, rtt_ms);
    this.#srtt_ms = this.#srtt_ms === 0 ? rtt_ms : this.#srtt_ms + (rtt_ms - this.#srtt_ms) / 8;
  }

  /** RACK: what was sent before something that has arrived is lost; without enough evidence, a quarter of a round trip later. */
  #findLost(): void {
    const sacked = this.#window.reduce((sum, { state }) => sum + (state === 'sacked' ? 1 : 0), 0);
    if (sacked === 0) return;
    if (this.#recovery || sacked >= DUPLICATES) this.#markLost();
    else {
      const seen = this.#newestDelivered;
      this.#world.at(this.#world.now_ms() + this.#leastRtt_ms / 4, () => {
        if (seen !== this.#newestDelivered) return;
        this.#markLost();
        this.#enterRecovery();
        this.#send();
      });
    }
  }

  #markLost(): void {
    for (const segment of this.#window)
      if (segment.state === 'out' && segment.order < this.#newestDelivered) {
        segment.state = 'lost';
        this.#inFlight--;
        this.#lost++;
      }
  }

  #enterRecovery(): void {
    if (this.#recovery || this.#lost === 0) return;
    this.#ssthresh = Math.max(Math.floor(this.#cwnd / 2), LEAST_WINDOW);
    this.#recovery = { until: this.#next, before: this.#cwnd, delivered: 0, out: 0 };
  }

  /** The window after an ACK: proportional rate reduction (RFC 6937) in recovery, else Reno. */
  #adapt(delivered: number, advanced: boolean): void {
    if (this.#recovery && this.#first >= this.#recovery.until) {
      this.#recovery = undefined;
      this.#cwnd = this.#ssthresh;
      this.#grown = 0;
    }
    this.#enterRecovery();
    if (this.#recovery) {
      const { before, out } = this.#recovery;
      this.#recovery.delivered += delivered;
      const sum = this.#recovery.delivered;
      const room = this.#ssthresh - this.#inFlight;
      const share = Math.ceil((this.#ssthresh * sum) / before) - out;
      const more = advanced ? Math.max(sum - out, delivered) + 1 : delivered;
      const count = room < 0 ? share : Math.min(room, more);
      this.#cwnd = this.#inFlight + Math.max(count, out > 0 ? 0 : 1);
    } else if (delivered > 0) this.#grow(delivered);
  }

  #grow(delivered: number): void {
    const slow = this.#cwnd < this.#ssthresh;
    this.counts.acks++;
    if (this.#limited) this.counts.limitedAcks++;
    if (!this.#limited && !(slow && this.#cwnd < 2 * this.#mostOut)) return;
    if (slow) {
      this.#cwnd = Math.min(this.#cwnd + delivered, Math.max(this.#ssthresh, this.#cwnd + 1));
      return;
    }
    this.#grown += delivered;
    const steps = Math.floor(this.#grown / this.#cwnd);
    this.#grown -= steps * this.#cwnd;
    this.#cwnd += steps;
  }

  #setPacingRate(): void {
    if (this.#srtt_ms === 0) return;
    const ratio = this.#cwnd < this.#ssthresh / 2 ? PACING.slowStart : PACING.avoidance;
    this.#pacingRate = (ratio * Math.max(this.#cwnd, this.#window.length)) / this.#srtt_ms;
  }

  #send(): void {
    this.#retransmit();
    const { kernel, burst_packets } = this.#options;
    const most = Math.max(LEAST_BURST, Math.floor(this.#pacingRate / BURSTS_A_MS));
    const burst = Math.min(burst_packets, most);
    let sent = 0;
    let limited = false;
    while (!this.#mustWait()) {
      const quota = this.#cwnd - this.#inFlight;
      if (quota <= 0) break;
      if (this.#piece > 1 && burst > 1 && this.#defers(quota, burst)) {
        limited = true;
        break;
      }
      const count = Math.min(quota, burst, this.#piece);
      this.#piece = this.#piece === count ? burst_packets : this.#piece - count;
      for (let each = 0; each < count; each++)
        this.#window.push({ sent_ms: 0, order: 0, state: 'lost', retransmitted: false });
      this.#lost += count;
      this.#transmit(this.#window.length - count, count);
      if (this.#recovery) this.#recovery.out += count;
      sent += count;
    }
    this.#noteUse(kernel, { sent, limited });
  }

  /** The head of the queue waits for more room in the window, so that it can leave as one: `tcp_tso_should_defer`. */
  #defers(quota: number, burst: number): boolean {
    const now = this.#world.now_ms();
    const [oldest] = this.#window;
    // The handshake has measured a round trip in the kernel, here none has been yet.
    const isFirst = this.#srtt_ms === 0;
    if (this.#recovery || !oldest || isFirst || now - this.#stamp_ms > RECENT_MS) return false;
    if (quota >= burst || quota >= this.#piece || quota * WINDOW_DIVISOR >= this.#cwnd) return false;
    return now - oldest.sent_ms >= this.#srtt_ms / 2;
  }

  /** `tcp_cwnd_validate`: whether the window was what held the sender back. */
  #noteUse(
    kernel: KernelRules,
    { sent, limited }: { readonly sent: number; readonly limited: boolean },
  ): void {
    const full = limited || this.#inFlight >= this.#cwnd;
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
    while (this.#recovery && this.#lost > 0 && !this.#mustWait()) {
      const quota = this.#cwnd - this.#inFlight;
      if (quota <= 0) return;
      const from = this.#window.findIndex(({ state }) => state === 'lost');
      let count = 0;
      while (
        count < Math.min(quota, this.#options.burst_packets) &&
        this.#window[from + count]?.state === 'lost'
      )
        count++;
      this.#transmit(from, count);
      this.counts.retransmitted += count;
      this.#recovery.out += count;
    }
  }

  #transmit(from: number, count: number): void {
    const now = this.#world.now_ms();
    const numbers: number[] = [];
    for (let at = from; at < from + count; at++) {
      const segment = this.#window[at];
      if (!segment) continue;
      segment.retransmitted = segment.order > 0;
      segment.sent_ms = now;
      segment.order = ++this.#order;
      segment.state = 'out';
      numbers.push(this.#first + at);
    }
    this.#lost -= count;
    this.#inFlight += count;
    this.counts.sent += count;
    this.#pace(count, now);
    this.#world.transmit(numbers);
  }

  /** When the next burst may leave; one that left late is given half of its own time back at most. */
  #pace(count: number, now: number): void {
    const before = this.#stamp_ms;
    this.#stamp_ms = Math.max(before, now);
    if (!this.#options.paced || this.#pacingRate === Infinity) return;
    const length_ms = count / this.#pacingRate;
    this.#stamp_ms += length_ms - Math.min(length_ms / 2, this.#stamp_ms - before);
  }

  #mustWait(): boolean {
    if (!this.#options.paced || this.#stamp_ms <= this.#world.now_ms()) return false;
    if (!this.#kicked) {
      this.#kicked = true;
      this.#world.at(this.#stamp_ms, () => {
        this.#kicked = false;
        this.#send();
      });
    }
    return true;
  }

  #restartTimer(): void {
    const due = this.#world.now_ms() + Math.max(LEAST_RTO_MS, 2 * this.#srtt_ms);
    const running = this.#rtoAt_ms !== Infinity;
    this.#rtoAt_ms = due;
    if (!running) this.#wakeAt(due);
  }

  #wakeAt(due: number): void {
    this.#world.at(due, () => {
      if (this.#world.now_ms() < this.#rtoAt_ms) this.#wakeAt(this.#rtoAt_ms);
      else this.#timeOut();
    });
  }

  #timeOut(): void {
    for (const segment of this.#window)
      if (segment.state === 'out') {
        segment.state = 'lost';
        this.#inFlight--;
        this.#lost++;
      }
    this.#recovery = undefined;
    this.#enterRecovery();
    this.#cwnd = 1;
    this.#rtoAt_ms = Infinity;
    this.#restartTimer();
    this.#send();
  }
}

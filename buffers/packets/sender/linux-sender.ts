import type { CongestionControl } from '../controls/congestion-control.ts';
import { controlNamed, type VirtualControl } from '../controls/control-named.ts';
import { DeliveryRate } from '../controls/delivery-rate.ts';
import { INITIAL_WINDOW, newTcpState, type TcpState } from '../controls/tcp-state.ts';
import type { KernelRules } from '../kernel-rules.ts';
import { Deadline } from './deadline.ts';
import { Pacer } from './pacer.ts';
import { Recovery } from './recovery.ts';
import { Scoreboard } from './scoreboard.ts';
import type { SenderWorld } from './sender-world.ts';
import { WindowUse } from './window-use.ts';

export interface SenderOptions {
  readonly congestion_control: VirtualControl;
  /** Whether TCP paces its packets. BBR always does. */
  readonly paced: boolean;
  readonly kernel: KernelRules;
  /** Maximum segments that segmentation offload sends at once. */
  readonly burst_packets: number;
  /** The round trip that the handshake measured; undefined if there is no measurement yet. */
  readonly handshake_ms?: number | undefined;
  /** Set for a server, which has only the data passed to `give`. Absent: the sender always has data. */
  readonly responds?: boolean | undefined;
  /** The receiver's window in segments; absent: unlimited. */
  readonly receive_window?: number | undefined;
}

export interface SenderCounts {
  acked: number;
  sent: number;
  retransmitted: number;
  /** The number of ACKs at which the window could have grown. */
  acks: number;
  /** The number of these ACKs at which the window was the sender's limit. */
  limitedAcks: number;
  /** Retransmission timeouts. */
  timeouts: number;
}

/** Linux's `tcp_tso_win_divisor`: a segment is not deferred if at least 1/3 of the window is free. */
const WINDOW_DIVISOR = 3;
/** A segment is deferred only within this time after the previous segment. */
const RECENT_MS = 1;
const LEAST_RTO_MS = 200;
/** A tail loss probe is sent after two round trips plus this time: two ticks of a kernel with HZ=250 (our choice). */
const PROBE_SLACK_MS = 8;
/** The share of an idle connection's window that the slow-start threshold keeps (`tcp_current_ssthresh`). */
const KEPT_AT_REST = 0.75;

/**
 * The part of Linux's TCP sender that decides when and how much to send: segmentation offload with its deferral,
 * pacing, the rule that an unused window does not grow, RACK, tail loss probes and proportional rate reduction. For a
 * server, also its responses, their pace, the receive window, and the decay of an idle window. Not modeled: TCP small
 * queues, undo of a window reduction, and the backoff of the retransmission timer.
 */
export class LinuxSender {
  readonly counts: SenderCounts = {
    ...{ acked: 0, sent: 0, retransmitted: 0, acks: 0, limitedAcks: 0, timeouts: 0 },
  };
  readonly #world: SenderWorld;
  readonly #options: SenderOptions;
  readonly #tcp: TcpState;
  readonly #board: Scoreboard;
  readonly #pacer: Pacer;
  readonly #use: WindowUse;
  readonly #rate = new DeliveryRate();
  readonly #control: CongestionControl;
  readonly #retransmission: Deadline;
  readonly #tailProbe: Deadline;
  /** Segments left of the piece at the head of the send queue, which is sent at once if possible. */
  #piece: number;
  #recovery: Recovery | undefined;
  /** Allows only one probe at a time: the next one may follow when all segments before this one are acknowledged. */
  #probedUpTo = 0;
  /** Number of segments that were passed to `give` and never sent. */
  #unsent: number;
  #lastSent_ms = -Infinity;
  #closed = false;
  /** Number of segments sent, and number of those that filled the receive window. */
  readonly flow = { sent: 0, receiveLimited: 0 };

  constructor(world: SenderWorld, options: SenderOptions) {
    this.#world = world;
    this.#options = options;
    this.#piece = options.burst_packets;
    this.#unsent = options.responds === true ? 0 : Infinity;
    this.#tcp = newTcpState(world.now_ms);
    this.#board = new Scoreboard(this.#tcp);
    this.#pacer = new Pacer(world, this.#tcp, options.burst_packets, () => this.#send());
    this.#use = new WindowUse(this.#tcp, options.kernel);
    this.#retransmission = new Deadline(world, () => this.#timeOut(), false);
    this.#tailProbe = new Deadline(world, () => this.#probe(), true);
    const { handshake_ms } = options;
    if (handshake_ms !== undefined) this.#measured(handshake_ms, handshake_ms);
    this.#control = controlNamed(options.congestion_control, this.#tcp, {
      rate: this.#rate,
      random: world.random,
      burstAt: (pacingRate) => this.#pacer.burstAt(pacingRate),
    });
    this.#pacer.isOn = options.paced || this.#control.ownsWindow;
  }

  get window(): number {
    return this.#tcp.window;
  }

  /** The minimum round trip so far, ms; Infinity before the first measurement. */
  get leastRtt_ms(): number {
    return this.#tcp.leastRtt_ms;
  }

  /** The smoothed round trip; 0 before the first measurement. */
  get srtt_ms(): number {
    return this.#tcp.srtt_ms;
  }

  start(): void {
    this.#restartTimer();
    this.#send();
  }

  /** Adds segments to send, at a pace of at most `pace` packets per ms (SO_MAX_PACING_RATE). */
  give(segments: number, pace = Infinity): void {
    this.#pacer.mostRate = pace;
    this.#pacer.isOn = this.#options.paced || this.#control.ownsWindow || pace < Infinity;
    if (this.#board.size === 0) this.#restart();
    this.#unsent += segments;
    this.#send();
  }

  /** Stops sending, because the client has closed the connection. */
  close(): void {
    this.#closed = true;
    this.#retransmission.stop();
    this.#tailProbe.stop();
  }

  /** Halves the window once for each retransmission timeout that the connection was idle (`tcp_cwnd_restart`). */
  #restart(): void {
    const tcp = this.#tcp;
    const rest_ms = this.#world.now_ms() - this.#lastSent_ms;
    const { window } = tcp;
    if (rest_ms === Infinity || rest_ms <= this.#rto_ms || this.#control.ownsWindow) return;
    tcp.threshold = Math.max(tcp.threshold, Math.floor(KEPT_AT_REST * window));
    const least = Math.min(INITIAL_WINDOW, window);
    tcp.window = Math.max(least, Math.floor(window / 2 ** Math.floor(rest_ms / this.#rto_ms)));
  }

  /** Processes an ACK of all segments below `upTo`, and of the segments in `beyond` (SACK). */
  acknowledge(upTo: number, beyond: readonly number[]): void {
    if (this.#closed) return;
    const now = this.#world.now_ms();
    const inFlightBefore = this.#tcp.inFlight;
    const lostBefore = this.#tcp.lost;
    const { delivered, covered, first_ms, newest_ms } = this.#board.acknowledge(
      upTo,
      beyond,
      now,
      (stamp, sent_ms) => this.#rate.arrived(stamp, sent_ms),
    );
    this.counts.acked += covered;
    if (newest_ms !== undefined) this.#measured(first_ms, newest_ms);
    // A server without unacknowledged data has nothing to time out.
    if (this.#board.size === 0 && this.#unsent < Infinity) this.#retransmission.stop();
    else if (covered > 0) this.#restartTimer();
    this.#findLost();
    const rate = this.#rate.sample(now, this.#tcp.leastRtt_ms);
    this.#leaveRecovery();
    this.#enterRecovery();
    const deliveredInAll = this.#rate.delivered;
    const lost = this.#tcp.lost - lostBefore;
    const ack = { delivered, lost, rtt_ms: newest_ms, inFlightBefore, deliveredInAll, rate };
    if (this.#control.ownsWindow) this.#control.acked(ack);
    else {
      if (this.#recovery) this.#recovery.reduce(this.#tcp, delivered, covered > 0);
      else if (delivered > 0 && this.#mayGrow()) this.#control.acked(ack);
      this.#pacer.followWindow(this.#board.size);
    }
    if (covered > 0) this.#awaitProbe();
    this.#send();
  }

  /**
   * Records round trips: the smoothed one uses the packet that was sent first, and the minimum uses the packet that was
   * sent last.
   */
  #measured(first_ms: number, newest_ms: number): void {
    const tcp = this.#tcp;
    tcp.leastRtt_ms = Math.min(tcp.leastRtt_ms, newest_ms);
    tcp.srtt_ms = tcp.srtt_ms === 0 ? first_ms : tcp.srtt_ms + (first_ms - tcp.srtt_ms) / 8;
  }

  /**
   * Finds lost packets by RACK: packets sent before a delivered packet are lost. Without enough evidence, waits a
   * quarter of a round trip first.
   */
  #findLost(): void {
    const { evidence, newestDelivered: seen } = this.#board;
    if (evidence === 'none') return;
    const markLost = () => this.#board.markLost((order) => order < seen);
    if (this.#recovery || evidence === 'enough') markLost();
    else
      this.#world.at(this.#world.now_ms() + this.#tcp.leastRtt_ms / 4, () => {
        if (seen !== this.#board.newestDelivered) return;
        markLost();
        this.#enterRecovery();
        this.#send();
      });
  }

  #enterRecovery(): void {
    if (this.#recovery || !this.#board.hasToSend) return;
    const before = this.#tcp.window;
    this.#tcp.threshold = this.#control.thresholdAfterLoss();
    this.#recovery = new Recovery(this.#board.next, before);
    this.#tcp.phase = 'recovery';
    this.#tailProbe.stop();
  }

  #leaveRecovery(): void {
    if (!this.#recovery?.isOver(this.#board.first)) return;
    this.#recovery = undefined;
    this.#tcp.phase = 'open';
    if (!this.#control.ownsWindow) this.#tcp.window = this.#tcp.threshold;
  }

  #mayGrow(): boolean {
    this.counts.acks++;
    if (this.#use.isLimited) this.counts.limitedAcks++;
    return this.#use.mayGrow;
  }

  /** The number of new segments that may be sent now. */
  get #quota(): number {
    const { window, inFlight } = this.#tcp;
    return Math.min(window - inFlight, this.#unsent, this.#receiverRoom);
  }

  get #receiverRoom(): number {
    return (this.#options.receive_window ?? Infinity) - this.#board.size;
  }

  #send(): void {
    if (this.#closed) return;
    this.#retransmit();
    const { burst_packets } = this.#options;
    const burst = this.#pacer.burstAt(this.#pacer.rate);
    let sent = 0;
    let deferred = false;
    while (!this.#pacer.mustWait()) {
      const quota = this.#quota;
      if (quota <= 0) break;
      if (this.#piece > 1 && burst > 1 && this.#defers(quota, burst)) {
        deferred = true;
        break;
      }
      const count = Math.min(quota, burst, this.#piece);
      this.#piece = this.#piece === count ? burst_packets : this.#piece - count;
      this.#sendNew(count);
      this.#recovery?.sent(count);
      sent += count;
    }
    if (sent > 0) this.#awaitProbe();
    if (sent > 0 && this.#retransmission.at_ms === Infinity) this.#restartTimer();
    this.#use.note({ sent, deferred }, this.#board);
  }

  #sendNew(count: number): void {
    const nothingOut = this.#board.size === 0;
    const from = this.#board.add(count);
    this.#unsent -= count;
    this.flow.sent += count;
    if (this.#receiverRoom <= 0) this.flow.receiveLimited += count;
    this.#transmit(from, count, nothingOut);
  }

  /**
   * Whether the piece at the head of the queue waits until the window has room to send it at once
   * (`tcp_tso_should_defer`).
   */
  #defers(quota: number, burst: number): boolean {
    const now = this.#world.now_ms();
    const { window, srtt_ms, nextBurst_ms } = this.#tcp;
    const { oldest_ms } = this.#board;
    // True until a round trip has been measured.
    const isFirst = srtt_ms === 0;
    if (this.#recovery || oldest_ms === undefined || isFirst || now - nextBurst_ms > RECENT_MS) return false;
    if (quota >= burst || quota >= this.#piece || quota * WINDOW_DIVISOR >= window) return false;
    return now - oldest_ms >= srtt_ms / 2;
  }

  #retransmit(): void {
    while (this.#recovery && this.#board.hasToSend && !this.#pacer.mustWait()) {
      const quota = this.#tcp.window - this.#tcp.inFlight;
      if (quota <= 0) return;
      const { from, count } = this.#board.lostRun(Math.min(quota, this.#options.burst_packets));
      this.#transmit(from, count, false);
      this.counts.retransmitted += count;
      this.#recovery.sent(count);
    }
  }

  #transmit(from: number, count: number, nothingOut: boolean): void {
    const now = this.#world.now_ms();
    const numbers = this.#board.sent(from, count, now, this.#rate.stamp(now, nothingOut));
    this.counts.sent += count;
    this.#lastSent_ms = now;
    this.#pacer.sent(count, now);
    this.#world.transmit(numbers);
  }

  get #rto_ms(): number {
    return Math.max(LEAST_RTO_MS, 2 * this.#tcp.srtt_ms);
  }

  #restartTimer(): void {
    this.#retransmission.set(this.#world.now_ms() + this.#rto_ms);
  }

  #timeOut(): void {
    this.counts.timeouts++;
    this.#board.markLost(() => true);
    // The window is halved once per loss episode: a timeout during recovery restarts the recovery without halving again.
    if (this.#recovery) this.#recovery.restart(this.#board.next);
    else this.#enterRecovery();
    this.#tcp.phase = 'timeout';
    this.#control.timedOut();
    this.#tcp.window = 1;
    this.#restartTimer();
    this.#send();
  }

  /** Schedules a tail loss probe, which is due long before the retransmission timeout (`tcp_schedule_loss_probe`). */
  #awaitProbe(): void {
    const { srtt_ms } = this.#tcp;
    const { size: out, first } = this.#board;
    if (this.#recovery || srtt_ms === 0 || out === 0 || first < this.#probedUpTo) {
      this.#tailProbe.stop();
      return;
    }
    const slack_ms = out === 1 ? LEAST_RTO_MS : PROBE_SLACK_MS;
    const due_ms = this.#world.now_ms() + 2 * srtt_ms + slack_ms;
    this.#tailProbe.set(Math.min(due_ms, this.#retransmission.at_ms));
  }

  /**
   * Sends one new packet beyond the window or, if there is none, the last packet again. Its ACK shows which packets are
   * missing.
   */
  #probe(): void {
    this.#tailProbe.stop();
    if (Math.min(this.#unsent, this.#receiverRoom) > 0) this.#sendNew(1);
    else this.#sendLastAgain();
    this.#probedUpTo = this.#board.next;
    this.#restartTimer();
  }

  #sendLastAgain(): void {
    const last = this.#board.takeLast();
    if (last === undefined) return;
    this.counts.retransmitted++;
    this.#transmit(last, 1, false);
  }
}

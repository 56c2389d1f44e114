import {
  INITIAL_WINDOW,
  LEAST_THRESHOLD,
  LOSS_WINDOW,
  type Acknowledged,
  type CongestionControl,
} from './congestion-control.ts';

/** Reno (RFC 5681) with SACK: slow start, then one packet more per round trip, and half the window after a loss. */
export class Reno implements CongestionControl {
  window = INITIAL_WINDOW;
  threshold = Infinity;
  readonly pace: number = Infinity;
  /** The factor by which a loss multiplies the window. */
  protected readonly decrease: number = 0.5;

  acknowledged(round: Acknowledged): void {
    if (this.window < this.threshold) this.slowStart(round);
    else if (round.windowLimited) this.avoidCongestion(round);
  }

  lost(): void {
    this.threshold = Math.max(LEAST_THRESHOLD, this.window * this.decrease);
    this.window = this.threshold;
  }

  timedOut(): void {
    this.threshold = Math.max(LEAST_THRESHOLD, this.window * this.decrease);
    this.window = LOSS_WINDOW;
  }

  /**
   * RFC 5681 §4.1 as in Linux: halves the window for each retransmission timeout during the idle time, down to the
   * initial window. The threshold becomes at least three quarters of the earlier window.
   */
  idled(idle_ms: number, timeout_ms: number): void {
    const before = this.window;
    if (idle_ms <= timeout_ms || before <= INITIAL_WINDOW) return;
    this.threshold = Math.max(this.threshold === Infinity ? 0 : this.threshold, 0.75 * before);
    this.window = Math.max(INITIAL_WINDOW, before / 2 ** Math.floor(idle_ms / timeout_ms));
  }

  copy(): Reno {
    return this.copyTo(new Reno());
  }

  protected copyTo<Copy extends Reno>(copy: Copy): Copy {
    copy.window = this.window;
    copy.threshold = this.threshold;
    return copy;
  }

  /** Doubles the window per round trip while more than half of it is used, as Linux does (`tcp_is_cwnd_limited`). */
  protected slowStart({ packets, inFlight: underWay }: Acknowledged): void {
    if (this.window < 2 * underWay) this.window = Math.min(this.threshold, this.window + packets);
  }

  protected avoidCongestion({ packets }: Acknowledged): void {
    this.window += packets / this.window;
  }
}

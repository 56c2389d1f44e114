import type { Acknowledged } from './congestion-control.ts';
import { Reno } from './reno.ts';

/** RFC 9438's C, packets/s³. */
const C = 0.4;
/** RFC 9438's β, the factor after a loss. */
const BETA = 0.7;
/** RFC 9406: slow start ends when the round trip has grown by more than an eighth, clamped to this range. */
const HYSTART_MS = [4, 16] as const;
/** The lowest window at which this test applies. */
const HYSTART_FROM = 16;

/** CUBIC (RFC 9438) with the delay test of HyStart. */
export class Cubic extends Reno {
  protected override readonly decrease = BETA;
  #most = 0;
  #since_ms = NaN;
  #reno = 0;

  override lost(): void {
    this.#remember();
    super.lost();
    this.#reno = this.window;
  }

  override timedOut(): void {
    this.#remember();
    super.timedOut();
    this.#reno = this.window;
  }

  override copy(): Cubic {
    const copy = this.copyTo(new Cubic());
    copy.#most = this.#most;
    copy.#since_ms = this.#since_ms;
    copy.#reno = this.#reno;
    return copy;
  }

  protected override slowStart(round: Acknowledged): void {
    const { rtt_ms, least_rtt_ms, now_ms } = round;
    const [least, most] = HYSTART_MS;
    const tolerated = Math.min(most, Math.max(least, least_rtt_ms / 8));
    if (this.window >= HYSTART_FROM && rtt_ms > least_rtt_ms + tolerated) {
      this.threshold = this.window;
      this.#most = this.window;
      this.#since_ms = now_ms;
      this.#reno = this.window;
      return;
    }
    super.slowStart(round);
  }

  protected override avoidCongestion({ packets, now_ms, rtt_ms }: Acknowledged): void {
    if (Number.isNaN(this.#since_ms)) this.#since_ms = now_ms;
    // RFC 9438 §4.2: K is the time until the window is back at its size before the loss.
    const k = Math.cbrt((this.#most * (1 - BETA)) / C);
    const t = (now_ms - this.#since_ms + rtt_ms) / 1000;
    const target = C * (t - k) ** 3 + this.#most;
    // RFC 9438 §4.3: never below the window that Reno would have with the same losses.
    this.#reno += ((3 * (1 - BETA)) / (1 + BETA)) * (packets / this.window);
    const wanted = Math.max(this.#reno, Math.min(target, 1.5 * this.window));
    if (wanted > this.window) this.window += ((wanted - this.window) * packets) / this.window;
  }

  /**
   * RFC 9438 §4.7, fast convergence: a flow that loses packets before it has reached its previous maximum lowers that
   * maximum, for the benefit of other flows.
   */
  #remember(): void {
    this.#most = this.window < this.#most ? (this.window * (1 + BETA)) / 2 : this.window;
    this.#since_ms = NaN;
  }
}

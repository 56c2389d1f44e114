import { slowStarted, type Ack, type CongestionControl } from './congestion-control.ts';
import type { TcpState } from './tcp-state.ts';

/** The window does not change while the number of the flow's packets in the queue is between these two values. */
const ALPHA = 2;
const BETA = 4;
/** More waiting packets than this end slow start. */
const GAMMA = 1;
const LEAST_WINDOW = 2;

/**
 * TCP Vegas (Brakmo and Peterson, 1995), as in `emulation/network/congestion/vegas.c`. Once per round trip it compares its
 * rate with the rate that an empty queue would allow. The difference is the number of packets in the queue, which Vegas keeps
 * between ALPHA and BETA. It reacts to losses in the same way as Reno.
 */
export class Vegas implements CongestionControl {
  readonly ownsWindow = false;
  readonly #tcp: TcpState;
  #roundRtt_ms = Infinity;
  /** The round ends when this many packets have been delivered. */
  #roundEnd = 0;
  /**
   * Whether the window stands still in this round of slow start. Slow start doubles the window in every other round,
   * and compares the rates in the rounds between.
   */
  #still = false;

  constructor(tcp: TcpState) {
    this.#tcp = tcp;
  }

  thresholdAfterLoss(): number {
    return Math.max(Math.floor(this.#tcp.window / 2), LEAST_WINDOW);
  }

  acked({ delivered, deliveredInAll, rtt_ms }: Ack): void {
    const tcp = this.#tcp;
    if (rtt_ms !== undefined) this.#roundRtt_ms = Math.min(this.#roundRtt_ms, rtt_ms);
    const isSlowStart = tcp.window < tcp.threshold;
    if (deliveredInAll < this.#roundEnd) {
      // Between two decisions the window grows only in slow start.
      if (isSlowStart && !this.#still) tcp.window = slowStarted(tcp.window, tcp.threshold, delivered);
      return;
    }
    const rtt = this.#roundRtt_ms;
    this.#roundEnd = deliveredInAll + tcp.inFlight;
    this.#roundRtt_ms = Infinity;
    this.#still = !this.#still;
    if (rtt === Infinity) return;
    const waiting = Math.floor((tcp.window * (rtt - tcp.leastRtt_ms)) / rtt);
    if (isSlowStart) {
      // `#still` was just toggled, so true means that the window grew in the round that ended.
      if (this.#still || waiting <= GAMMA) return;
      tcp.window = Math.max(tcp.window - waiting, LEAST_WINDOW);
      tcp.threshold = tcp.window;
    } else if (waiting > BETA) {
      tcp.window = Math.max(tcp.window - 1, LEAST_WINDOW);
      // A window below the threshold would be one in slow start.
      tcp.threshold = Math.min(tcp.threshold, tcp.window);
    } else if (waiting < ALPHA) tcp.window += 1;
  }

  timedOut(): void {
    this.#roundRtt_ms = Infinity;
  }
}

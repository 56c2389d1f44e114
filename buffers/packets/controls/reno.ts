import { slowStarted, type Ack, type CongestionControl } from './congestion-control.ts';
import type { TcpState } from './tcp-state.ts';

const LEAST_WINDOW = 2;

/** Reno: the window grows by one packet in each round trip, and halves after a loss. */
export class Reno implements CongestionControl {
  readonly ownsWindow = false;
  readonly #tcp: TcpState;
  #grown = 0;

  constructor(tcp: TcpState) {
    this.#tcp = tcp;
  }

  thresholdAfterLoss(): number {
    this.#grown = 0;
    return Math.max(this.afterLoss(this.#tcp.window), LEAST_WINDOW);
  }

  acked({ delivered }: Ack): void {
    const { window, threshold } = this.#tcp;
    if (window < threshold) {
      this.#tcp.window = slowStarted(window, threshold, delivered);
      return;
    }
    this.#grown += delivered;
    const each = this.packetsToGrow(window);
    const steps = Math.floor(this.#grown / each);
    this.#grown -= steps * each;
    this.#tcp.window += steps;
  }

  timedOut(): void {
    this.#grown = 0;
  }

  /** The number of acknowledged packets that increase the window by one packet. */
  protected packetsToGrow(window: number): number {
    return window;
  }

  protected afterLoss(window: number): number {
    return Math.floor(window / 2);
  }
}

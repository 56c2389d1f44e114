import { slowStarted, type Ack, type CongestionControl } from './congestion-control.ts';
import type { TcpState } from './tcp-state.ts';

/** So many acknowledged packets grow the window by one; fewer where the window is smaller, as Reno's. */
const PACKETS_TO_GROW = 100;
/** Of the window a loss takes 1/8. */
const LOSS_SHIFT = 3;
const LEAST_WINDOW = 2;

/** Scalable TCP (Kelly, 2003), as `emulation/network/congestion/scalable.c`. */
export class Scalable implements CongestionControl {
  readonly ownsWindow = false;
  readonly isPoliced = false;
  readonly #tcp: TcpState;
  #grown = 0;

  constructor(tcp: TcpState) {
    this.#tcp = tcp;
  }

  thresholdAfterLoss(): number {
    const { window } = this.#tcp;
    this.#grown = 0;
    return Math.max(window - (window >> LOSS_SHIFT), LEAST_WINDOW);
  }

  acked({ delivered }: Ack): void {
    const { window, threshold } = this.#tcp;
    if (window < threshold) {
      this.#tcp.window = slowStarted(window, threshold, delivered);
      return;
    }
    this.#grown += delivered;
    const each = Math.min(window, PACKETS_TO_GROW);
    const steps = Math.floor(this.#grown / each);
    this.#grown -= steps * each;
    this.#tcp.window += steps;
  }

  timedOut(): void {
    this.#grown = 0;
  }
}

import { slowStarted, type Ack, type CongestionControl } from './congestion-control.ts';
import type { TcpState } from './tcp-state.ts';

/** The factor of the window at a loss: 717 of 1024. */
const BETA = 717 / 1024;
/** Packets a s³. */
const C = 0.4;
const LEAST_WINDOW = 2;
/** ACKed packets, in windows, by which the window of a Reno with this beta would have grown by one: (1 + β) / (1 - β) / 3. */
const FRIENDLY_WINDOWS = 15 / 8;
/** The window grows by half in a round trip at most. */
const LEAST_PER_STEP = 2;
/** Without a loss to aim at: by a twentieth. */
const MOST_PER_STEP_AT_FIRST = 20;
const NEARLY_NEVER = 100;
/** Our choice: the clock of a kernel with HZ=250, at most once in a tick of which the curve is evaluated. */
const TICK_MS = 4;
const LATEST_MS = 1000 / 32;

/** CUBIC as Linux has it (RFC 8312), without HyStart, which matters before the first loss only. */
export class Cubic implements CongestionControl {
  readonly ownsWindow = false;
  readonly #tcp: TcpState;
  /** The window at the last loss, or less to make room for new flows. */
  #most = 0;
  /** The curve since the last loss: undefined before the first ACK. */
  #curve: { readonly start_ms: number; readonly origin: number; readonly k_ms: number } | undefined;
  #acked = 0;
  #friendly = 0;
  /** ACKed packets for one more in the window. */
  #perStep = 0;
  #grown = 0;
  #last = { window: 0, tick: -1 };

  constructor(tcp: TcpState) {
    this.#tcp = tcp;
  }

  thresholdAfterLoss(): number {
    const { window } = this.#tcp;
    this.#curve = undefined;
    this.#grown = 0;
    this.#most = window < this.#most ? Math.floor((window * (1 + BETA)) / 2) : window;
    return Math.max(Math.floor(window * BETA), LEAST_WINDOW);
  }

  acked({ delivered }: Ack): void {
    const { window, threshold } = this.#tcp;
    if (window < threshold) {
      this.#tcp.window = slowStarted(window, threshold, delivered);
      return;
    }
    this.#update(delivered);
    if (this.#grown >= this.#perStep) {
      this.#grown = 0;
      this.#tcp.window++;
    }
    this.#grown += delivered;
    const steps = Math.floor(this.#grown / this.#perStep);
    this.#grown -= steps * this.#perStep;
    this.#tcp.window += steps;
  }

  timedOut(): void {
    this.#most = 0;
    this.#curve = undefined;
    this.#grown = 0;
    this.#last = { window: 0, tick: -1 };
  }

  #update(delivered: number): void {
    const { window } = this.#tcp;
    const now = this.#tcp.now_ms();
    const tick = Math.floor(now / TICK_MS);
    this.#acked += delivered;
    if (this.#last.window === window && (tick - this.#last.tick) * TICK_MS <= LATEST_MS) return;
    if (!this.#curve || tick !== this.#last.tick) {
      this.#last = { window, tick };
      this.#perStep = this.#perStepOfCurve(now, delivered);
    }
    const perFriendlyStep = Math.floor(window * FRIENDLY_WINDOWS);
    const steps = Math.max(0, Math.ceil(this.#acked / perFriendlyStep) - 1);
    this.#acked -= steps * perFriendlyStep;
    this.#friendly += steps;
    if (this.#friendly > window)
      this.#perStep = Math.min(this.#perStep, Math.floor(window / (this.#friendly - window)));
    this.#perStep = Math.max(this.#perStep, LEAST_PER_STEP);
  }

  #perStepOfCurve(now: number, delivered: number): number {
    const { window, leastRtt_ms } = this.#tcp;
    if (!this.#curve) {
      const below = Math.max(0, this.#most - window);
      this.#curve = { start_ms: now, origin: window + below, k_ms: 1000 * Math.cbrt(below / C) };
      this.#acked = delivered;
      this.#friendly = window;
    }
    const { start_ms, origin, k_ms } = this.#curve;
    // The target of the window, one round trip from now.
    const since_s = (now + leastRtt_ms - start_ms - k_ms) / 1000;
    const aim = origin + Math.trunc(C * since_s ** 3);
    const perStep = aim > window ? Math.floor(window / (aim - window)) : NEARLY_NEVER * window;
    return this.#most === 0 ? Math.min(perStep, MOST_PER_STEP_AT_FIRST) : perStep;
  }
}

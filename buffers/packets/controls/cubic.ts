import { slowStarted, type Ack, type CongestionControl } from './congestion-control.ts';
import type { TcpState } from './tcp-state.ts';

/** The factor by which a loss reduces the window: Linux uses 717/1024. */
const BETA = 717 / 1024;
/** CUBIC's constant C, in packets/s³ (RFC 8312). */
const C = 0.4;
const LEAST_WINDOW = 2;
/**
 * The number of ACKed windows after which a Reno flow with the same β would grow its window by one packet:
 * (1 + β) / (1 - β) / 3 = 1.89, which Linux rounds down to eighths.
 */
const FRIENDLY_WINDOWS = 15 / 8;
/**
 * Minimum number of ACKed packets that increase the window by one, so that the window grows by at most half in a round
 * trip.
 */
const LEAST_PER_STEP = 2;
/**
 * Before the first loss, the window grows by one packet after at most this many ACKed packets, so by at least 1/20 in a
 * round trip.
 */
const MOST_PER_STEP_AT_FIRST = 20;
const NEARLY_NEVER = 100;
/** The clock tick of a kernel with HZ=250 (our choice). The curve is evaluated at most once per tick. */
const TICK_MS = 4;
const LATEST_MS = 1000 / 32;

/** CUBIC as in Linux (RFC 8312), without HyStart, which matters only before the first loss. */
export class Cubic implements CongestionControl {
  readonly ownsWindow = false;
  readonly #tcp: TcpState;
  /** The window at the last loss, or a lower value to release bandwidth to new flows. */
  #most = 0;
  /** The curve since the last loss: undefined before the first ACK. */
  #curve: { readonly start_ms: number; readonly origin: number; readonly k_ms: number } | undefined;
  #acked = 0;
  #friendly = 0;
  /** Number of ACKed packets that increase the window by one. */
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
    // The curve's window one round trip from now.
    const since_s = (now + leastRtt_ms - start_ms - k_ms) / 1000;
    const aim = origin + Math.trunc(C * since_s ** 3);
    const perStep = aim > window ? Math.floor(window / (aim - window)) : NEARLY_NEVER * window;
    return this.#most === 0 ? Math.min(perStep, MOST_PER_STEP_AT_FIRST) : perStep;
  }
}

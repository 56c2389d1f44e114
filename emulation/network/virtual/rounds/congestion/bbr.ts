import {
  INITIAL_WINDOW,
  LOSS_WINDOW,
  type Acknowledged,
  type CongestionControl,
} from './congestion-control.ts';

/** BBR v1's gain during startup, 2/ln 2 (draft-cardwell-iccrg-bbr-congestion-control-00, as all constants here). */
const STARTUP_GAIN = 2.885;
const DRAIN_GAIN = 1 / STARTUP_GAIN;
/** The pacing gains of a cycle's eight phases. */
const CYCLE = [1.25, 0.75, 1, 1, 1, 1, 1, 1];
/** The window, as a multiple of the bandwidth-delay product. */
const WINDOW_GAIN = 2;
/** The highest delivery rate of this many rounds is used. */
const FILTER_ROUNDS = 10;
/** The pipe is full when the rate has grown by less than a quarter in three consecutive round trips. */
const FULL_ROUNDS = 3;
const GROWTH = 1.25;
const LEAST_WINDOW = 4;

/**
 * A model of BBR v1: it paces at the highest recent delivery rate, and allows two bandwidth-delay products in flight.
 */
export class Bbr implements CongestionControl {
  window = INITIAL_WINDOW;
  readonly threshold = Infinity;
  pace = Infinity;
  #state: 'startup' | 'drain' | 'cruise' = 'startup';
  #rates: number[] = [];
  #full = 0;
  #fullRounds = 0;
  #phase = 0;

  acknowledged({ packets, rate, least_rtt_ms, rtt_ms, windowLimited }: Acknowledged): void {
    const best = Math.max(0, ...this.#rates);
    // Before BBR paces, a round that was not window-limited is used only if its rate exceeds the best rate.
    if (windowLimited || rate > best || this.pace < Infinity)
      this.#rates = [...this.#rates, rate].slice(-FILTER_ROUNDS);
    const most = Math.max(...this.#rates, 1e-9);
    const product = most * least_rtt_ms;
    if (this.#state === 'startup') this.#lookWhetherFull(most, windowLimited);
    if (this.#state === 'startup') {
      this.window += packets;
      this.pace = STARTUP_GAIN * most;
      return;
    }
    if (this.#state === 'drain') {
      this.pace = DRAIN_GAIN * most;
      if (rtt_ms <= 1.25 * least_rtt_ms) this.#state = 'cruise';
    } else {
      this.pace = (CYCLE[this.#phase] ?? 1) * most;
      this.#phase = (this.#phase + 1) % CYCLE.length;
    }
    this.window = Math.max(LEAST_WINDOW, WINDOW_GAIN * product);
  }

  /** Changes nothing, because BBR does not use losses as a signal. */
  lost(): void {
    this.window = Math.max(LEAST_WINDOW, this.window);
  }

  timedOut(): void {
    this.window = LOSS_WINDOW;
  }

  /** Continues at the measured rate. */
  idled(): void {
    this.window = Math.max(LEAST_WINDOW, this.window);
  }

  copy(): Bbr {
    const copy = new Bbr();
    copy.window = this.window;
    copy.pace = this.pace;
    copy.#state = this.#state;
    copy.#rates = this.#rates;
    copy.#full = this.#full;
    copy.#fullRounds = this.#fullRounds;
    copy.#phase = this.#phase;
    return copy;
  }

  #lookWhetherFull(most: number, windowLimited: boolean): void {
    if (!windowLimited) return;
    if (most >= GROWTH * this.#full) {
      this.#full = most;
      this.#fullRounds = 0;
    } else if (++this.#fullRounds >= FULL_ROUNDS) this.#state = 'drain';
  }
}

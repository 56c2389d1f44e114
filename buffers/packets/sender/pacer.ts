import type { TcpState } from '../controls/tcp-state.ts';
import type { SenderWorld } from './sender-world.ts';

const LEAST_BURST = 2;
/** Bursts per ms: a burst contains what the pacing rate sends in 1/1024 s (`sk_pacing_shift`). */
const BURSTS_A_MS = 1.024;
/** The pacing rate as a multiple of window per round trip (`tcp_pacing_ss_ratio`, `tcp_pacing_ca_ratio`). */
const PACING = { slowStart: 2, avoidance: 1.2 };

/** TCP's internal pacing: the length of a burst, and the time at which the next one may leave. */
export class Pacer {
  isOn = false;
  /** The maximum rate in packets per ms (SO_MAX_PACING_RATE). */
  mostRate = Infinity;
  readonly #world: SenderWorld;
  readonly #tcp: TcpState;
  readonly #mostBurst: number;
  /** Resumes sending after a wait. */
  readonly #resume: () => void;
  #isWaiting = false;

  constructor(world: SenderWorld, tcp: TcpState, mostBurst: number, resume: () => void) {
    this.#world = world;
    this.#tcp = tcp;
    this.#mostBurst = mostBurst;
    this.#resume = resume;
  }

  /** The current pacing rate in packets per ms. */
  get rate(): number {
    return Math.min(this.#tcp.pacingRate, this.mostRate);
  }

  /** Returns the maximum number of packets that leave at once at this rate. */
  burstAt(rate: number): number {
    const most = Math.max(LEAST_BURST, Math.floor(rate / BURSTS_A_MS));
    return Math.min(this.#mostBurst, most);
  }

  /** Sets the rate from the window and from `out`, the number of unacknowledged packets. */
  followWindow(out: number): void {
    const { srtt_ms, window, threshold } = this.#tcp;
    if (srtt_ms === 0) return;
    const ratio = window < threshold / 2 ? PACING.slowStart : PACING.avoidance;
    this.#tcp.pacingRate = (ratio * Math.max(window, out)) / srtt_ms;
  }

  /** Records sent packets. A burst that left late gets at most half of its own duration back. */
  sent(count: number, now: number): void {
    const tcp = this.#tcp;
    const before = tcp.nextBurst_ms;
    tcp.nextBurst_ms = Math.max(before, now);
    const { rate } = this;
    if (!this.isOn || rate === Infinity) return;
    const length_ms = count / rate;
    tcp.nextBurst_ms += length_ms - Math.min(length_ms / 2, tcp.nextBurst_ms - before);
  }

  /** Whether the pace forbids sending now; if so, a timer sends later. */
  mustWait(): boolean {
    const { nextBurst_ms } = this.#tcp;
    if (!this.isOn || nextBurst_ms <= this.#world.now_ms()) return false;
    if (!this.#isWaiting) {
      this.#isWaiting = true;
      this.#world.at(nextBurst_ms, () => {
        this.#isWaiting = false;
        this.#resume();
      });
    }
    return true;
  }
}

import type { TcpState } from '../controls/tcp-state.ts';
import type { KernelRules } from '../kernel-rules.ts';

/** The result of an attempt to send. */
interface Sent {
  /** Number of segments sent for the first time. */
  readonly sent: number;
  /** Whether sending was deferred so that several segments leave at once (`tcp_tso_should_defer`). */
  readonly deferred: boolean;
}

/**
 * Tracks whether the window limited the sender (`tcp_cwnd_validate`). A window that does not limit the sender does not
 * grow.
 */
export class WindowUse {
  readonly #tcp: TcpState;
  readonly #kernel: KernelRules;
  #isLimited = false;
  #mostOut = 0;
  #mostOutUntil = 0;

  constructor(tcp: TcpState, kernel: KernelRules) {
    this.#tcp = tcp;
    this.#kernel = kernel;
  }

  get isLimited(): boolean {
    return this.#isLimited;
  }

  get mayGrow(): boolean {
    const { window, threshold } = this.#tcp;
    return this.#isLimited || (window < threshold && window < 2 * this.#mostOut);
  }

  /** Records an attempt to send. `first` and `next` delimit the unacknowledged segments. */
  note({ sent, deferred }: Sent, { first, next }: { readonly first: number; readonly next: number }): void {
    const { notesDeferralAlone, keepsLimited } = this.#kernel;
    const isFull = deferred || this.#tcp.inFlight >= this.#tcp.window;
    if (sent === 0 && !(isFull && notesDeferralAlone)) return;
    const out = next - first;
    const takes =
      first >= this.#mostOutUntil ||
      (isFull && notesDeferralAlone) ||
      (out > this.#mostOut && !(keepsLimited && this.#isLimited));
    if (!takes) return;
    this.#mostOut = out;
    this.#mostOutUntil = next;
    this.#isLimited = isFull;
  }
}

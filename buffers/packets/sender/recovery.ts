import type { TcpState } from '../controls/tcp-state.ts';

/** A recovery from losses, until all is acknowledged that was sent before it: proportional rate reduction (RFC 6937). */
export class Recovery {
  #until: number;
  /** The window before the recovery. */
  readonly #before: number;
  #delivered = 0;
  /** The packets sent during the recovery. */
  #out = 0;

  constructor(until: number, before: number) {
    this.#until = until;
    this.#before = before;
  }

  isOver(first: number): boolean {
    return first >= this.#until;
  }

  sent(count: number): void {
    this.#out += count;
  }

  /**
   * Restarts after the timer declared all packets lost: it continues until `until` is acknowledged, with the same previous
   * window.
   */
  restart(until: number): void {
    this.#until = until;
    this.#delivered = 0;
    this.#out = 0;
  }

  /** Sets the window after an ACK of so many; `advanced`: also of the oldest. */
  reduce(tcp: TcpState, delivered: number, advanced: boolean): void {
    const { threshold, inFlight } = tcp;
    this.#delivered += delivered;
    const sum = this.#delivered;
    const room = threshold - inFlight;
    const share = Math.ceil((threshold * sum) / this.#before) - this.#out;
    const more = advanced ? Math.max(sum - this.#out, delivered) + 1 : delivered;
    const count = room < 0 ? share : Math.min(room, more);
    tcp.window = inFlight + Math.max(count, this.#out > 0 ? 0 : 1);
  }
}

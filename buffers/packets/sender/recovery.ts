import type { TcpState } from '../controls/tcp-state.ts';

/**
 * Proportional rate reduction (RFC 6937): a recovery from losses, which lasts until everything that was sent before it
 * has been acknowledged.
 */
export class Recovery {
  #until: number;
  /** The window before the recovery. */
  readonly #before: number;
  #delivered = 0;
  /** The number of packets sent during the recovery. */
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
   * Restarts the recovery after a timeout declared all packets lost. The recovery then lasts until `until` is
   * acknowledged, and keeps the window from before.
   */
  restart(until: number): void {
    this.#until = until;
    this.#delivered = 0;
    this.#out = 0;
  }

  /**
   * Sets the window after an ACK of `delivered` packets. `advanced`: whether the ACK acknowledged the oldest packet.
   */
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

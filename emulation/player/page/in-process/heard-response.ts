import type { Arrival } from '../../model/player/wire.ts';
import type { PageClock } from '../clocks/page-clock.ts';
import type { Body, Head, Listener } from '../network/wire.ts';

/** The headers of a response, with its receipt. */
export const HEADER_BYTES = 600;
/** A page hears so often of what arrives. */
const ARRIVALS_MS = 50;

interface Parts {
  readonly clock: PageClock;
  /** Headers and body. */
  readonly arrival: Pick<Arrival, 'size_bytes' | 'first_ms' | 'ends_ms' | 'arrivedBy'>;
  readonly head: Head;
  readonly body: Body;
  readonly listener: Listener;
  /** Called before the page hears of the end. */
  readonly ended: () => void;
}

/** A response under way, as the page hears of it: that it begins, how much has arrived, and the end. */
export class HeardResponse {
  readonly #parts: Parts;
  readonly #cancels: (() => void)[] = [];
  #begun = false;
  #ends = false;
  #heard_bytes = 0;
  #arrives_ms = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** More is known of the arrival: when it begins, or when it ends. */
  look(): void {
    const { arrival, head, body, listener } = this.#parts;
    if (!this.#begun && !Number.isNaN(arrival.first_ms)) {
      this.#begun = true;
      this.#arrives_ms = arrival.first_ms;
      this.#at(arrival.first_ms, () => {
        listener.begins(head, body);
        this.#arrive();
      });
    }
    if (!this.#ends && arrival.ends_ms < Infinity) {
      this.#ends = true;
      this.#at(arrival.ends_ms, () => this.#end());
    }
  }

  /** The page hears nothing more. */
  cancel(): void {
    for (const cancel of this.#cancels) cancel();
  }

  #at(time_ms: number, action: () => void): void {
    this.#cancels.push(this.#parts.clock.at(time_ms, action));
  }

  #arrive(): void {
    const { clock, arrival, listener } = this.#parts;
    if (arrival.ends_ms <= clock.now_ms) return;
    const bytes = Math.max(0, Math.floor(arrival.arrivedBy(clock.now_ms)) - HEADER_BYTES);
    if (bytes > this.#heard_bytes) listener.arrived((this.#heard_bytes = bytes));
    this.#at((this.#arrives_ms += ARRIVALS_MS), () => this.#arrive());
  }

  #end(): void {
    const { arrival, listener, ended } = this.#parts;
    ended();
    this.cancel();
    listener.ended(arrival.size_bytes - HEADER_BYTES);
  }
}

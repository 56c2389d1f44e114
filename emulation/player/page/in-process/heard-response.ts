import type { Arrival } from '../../model/player/wire.ts';
import type { PageClock } from '../clocks/page-clock.ts';
import type { Body, Head, Listener } from '../network/wire.ts';

/** The size of a response's headers, including the receipt. */
export const HEADER_BYTES = 600;
/** The interval of progress reports to the page. */
const ARRIVALS_MS = 50;

interface Parts {
  readonly clock: PageClock;
  /** The arrival of the headers and the body. */
  readonly arrival: Pick<Arrival, 'size_bytes' | 'first_ms' | 'ends_ms' | 'arrivedBy'>;
  readonly head: Head;
  readonly body: Body;
  readonly listener: Listener;
  /** Called before the page is notified of the end. */
  readonly ended: () => void;
}

/** Reports a response in progress to the page: its beginning, its progress, and its end. */
export class ReportedResponse {
  readonly #parts: Parts;
  readonly #cancels: (() => void)[] = [];
  #begun = false;
  #ends = false;
  #heard_bytes = 0;
  #arrives_ms = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Schedules the reports of the response's beginning and end as soon as their times are known. */
  update(): void {
    const { arrival, head, body, listener } = this.#parts;
    if (!this.#begun && !Number.isNaN(arrival.first_ms)) {
      this.#begun = true;
      this.#arrives_ms = arrival.first_ms;
      this.#at(arrival.first_ms, () => {
        listener.began(head, body);
        this.#arrive();
      });
    }
    if (!this.#ends && arrival.ends_ms < Infinity) {
      this.#ends = true;
      this.#at(arrival.ends_ms, () => this.#end());
    }
  }

  /** Cancels all further reports. */
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

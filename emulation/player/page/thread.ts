import type { PageClock } from './clocks/page-clock.ts';
import type { Listener, Wire } from './network/wire.ts';

/** Returns how long scripts keep the page busy with a complete response, ms. Other events wait meanwhile. */
export type BusyWith = (url: string) => number;

/**
 * The page's only thread. Events that become due while it is busy run afterwards, in the same order. Responses are an
 * exception: the page receives a response only after all consequences of the previous response, because a browser runs
 * these while a response is still in progress. No time passes within an event, so a script's requests have the time of
 * the event.
 */
export class Thread {
  readonly #clock: PageClock;
  readonly #enter: (action: () => void) => void;
  readonly #busyWith: BusyWith;
  #free_ms = 0;
  /** The number of due events that wait for the thread. */
  #due = 0;
  /** Pending notifications about responses, in order of arrival. */
  readonly #unheard: (() => void)[] = [];

  constructor(clock: PageClock, enter: (action: () => void) => void, busyWith: BusyWith) {
    this.#clock = clock;
    this.#enter = enter;
    this.#busyWith = busyWith;
  }

  /** The clock whose actions run on the thread. */
  get clock(): PageClock {
    const clock = this.#clock;
    return {
      get now_ms() {
        return clock.now_ms;
      },
      at: (time_ms, action) => this.#at(time_ms, action),
    };
  }

  /** Wraps a wire, so that its notifications run on the thread. */
  wrapWire(wire: Wire): Wire {
    return {
      ask: (asked, listener) => {
        let givenUp = false;
        const giveUp = wire.ask(
          asked,
          this.#onThread(asked.url, listener, () => givenUp),
        );
        return () => {
          givenUp = true;
          giveUp();
        };
      },
    };
  }

  #onThread(url: string, listener: Listener, isGivenUp: () => boolean): Listener {
    const hear = (action: () => void) => this.#hear(() => isGivenUp() || action());
    return {
      began: (head, body) => hear(() => listener.began(head, body)),
      arrived: (bytes) => hear(() => listener.arrived(bytes)),
      ended: (bytes) =>
        hear(() => {
          listener.ended(bytes);
          this.#free_ms = this.#clock.now_ms + this.#busyWith(url);
        }),
      failed: () => hear(() => listener.failed()),
    };
  }

  #at(time_ms: number, action: () => void): () => void {
    const clock = this.#clock;
    let isDue = time_ms <= clock.now_ms;
    if (isDue) this.#due++;
    const notDue = () => {
      if (isDue) this.#due--;
      isDue = false;
    };
    const happen = () => {
      if (!isDue) this.#due++;
      isDue = true;
      if (clock.now_ms < this.#free_ms) cancel = clock.at(this.#free_ms, happen);
      else {
        notDue();
        this.#enter(action);
      }
    };
    let cancel = clock.at(time_ms, happen);
    return () => {
      notDue();
      cancel();
    };
  }

  #hear(action: () => void): void {
    const isFree = this.#clock.now_ms >= this.#free_ms;
    if (isFree && this.#unheard.length === 0) this.#enter(action);
    else if (this.#unheard.push(action) === 1) this.#hearLater();
  }

  #hearLater(): void {
    const clock = this.#clock;
    clock.at(Math.max(clock.now_ms, this.#free_ms), () => {
      if (clock.now_ms >= this.#free_ms && this.#due === 0) {
        const next = this.#unheard.shift();
        if (next) this.#enter(next);
      }
      if (this.#unheard.length > 0) this.#hearLater();
    });
  }
}

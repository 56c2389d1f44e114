import type { PageClock } from './clocks/page-clock.ts';
import type { Listener, Wire } from './network/wire.ts';

/** How long scripts keep the page busy with a response that has arrived whole; what else happens meanwhile has to wait. */
export type BusyWith = (url: string) => number;

/**
 * The page's only thread. What is to happen while it is busy happens afterwards, in the same order. Within an event no time
 * passes: what a script asks for at once, it asks for at the event's own time.
 */
export class Thread {
  readonly #clock: PageClock;
  readonly #enter: (action: () => void) => void;
  readonly #busyWith: BusyWith;
  #free_ms = 0;

  constructor(clock: PageClock, enter: (action: () => void) => void, busyWith: BusyWith) {
    this.#clock = clock;
    this.#enter = enter;
    this.#busyWith = busyWith;
  }

  /** The clock of what happens on the thread. */
  get clock(): PageClock {
    const clock = this.#clock;
    return {
      get now_ms() {
        return clock.now_ms;
      },
      at: (time_ms, action) => {
        let cancel = clock.at(time_ms, () => {
          cancel = this.#happen(action);
        });
        return () => cancel();
      },
    };
  }

  /** A wire that is heard on the thread. */
  hears(wire: Wire): Wire {
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
    const hear = (action: () => void) => void this.#happen(() => isGivenUp() || action());
    return {
      begins: (head, body) => hear(() => listener.begins(head, body)),
      arrived: (bytes) => hear(() => listener.arrived(bytes)),
      ended: (bytes) =>
        hear(() => {
          listener.ended(bytes);
          this.#free_ms = this.#clock.now_ms + this.#busyWith(url);
        }),
      failed: () => hear(() => listener.failed()),
    };
  }

  /** Now, or as soon as the thread is free. Returns what takes it back. */
  #happen(action: () => void): () => void {
    if (this.#clock.now_ms >= this.#free_ms) {
      this.#enter(action);
      return () => undefined;
    }
    let cancel = this.#clock.at(this.#free_ms, () => {
      cancel = this.#happen(action);
    });
    return () => cancel();
  }
}

import type { PageClock } from './clocks/page-clock.ts';
import type { Listener, Wire } from './network/wire.ts';

/** How long scripts keep the page busy with a response that has arrived whole; what else happens meanwhile has to wait. */
export type BusyWith = (url: string) => number;

/**
 * The page's only thread. What is to happen while it is busy happens afterwards, in the same order, but for responses: the
 * next one is heard when all is done that the one before it has led to, since a browser does that while a response is still
 * under way. Within an event no time passes: what a script asks for at once, it asks for at the event's own time.
 */
export class Thread {
  readonly #clock: PageClock;
  readonly #enter: (action: () => void) => void;
  readonly #busyWith: BusyWith;
  #free_ms = 0;
  /** How many events of the page wait for nothing but the thread. */
  #due = 0;
  /** What is to be heard of responses, in the order in which it arrived. */
  readonly #unheard: (() => void)[] = [];

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
      at: (time_ms, action) => this.#at(time_ms, action),
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
    const hear = (action: () => void) => this.#hear(() => isGivenUp() || action());
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

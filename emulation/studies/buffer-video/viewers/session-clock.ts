import type { RoutedNetwork } from '../../../../buffers/packets/routed-network.ts';
import type { PageClock } from '../../../player/page/clocks/page-clock.ts';

/** The clock of a page that was opened at the network's time `began_ms`. */
export class SessionClock implements PageClock {
  readonly #network: Pick<RoutedNetwork, 'at' | 'now_ms'>;
  readonly #began_ms: number;
  /**
   * The time for which the latest event was scheduled. The network's time minus `began_ms` may be slightly lower
   * because of rounding.
   */
  #due_ms = 0;

  constructor(network: Pick<RoutedNetwork, 'at' | 'now_ms'>, began_ms: number) {
    this.#network = network;
    this.#began_ms = began_ms;
  }

  get now_ms(): number {
    return Math.max(this.#due_ms, this.#network.now_ms() - this.#began_ms);
  }

  at(time_ms: number, action: () => void): () => void {
    // Canceling also releases the reference to the page.
    let live: (() => void) | undefined = action;
    this.#network.at(this.#began_ms + time_ms, () => {
      if (!live) return;
      this.#due_ms = Math.max(this.#due_ms, time_ms);
      live();
    });
    return () => void (live = undefined);
  }
}

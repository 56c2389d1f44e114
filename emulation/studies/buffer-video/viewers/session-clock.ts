import type { RoutedNetwork } from '../../../../buffers/packets/routed-network.ts';
import type { PageClock } from '../../../player/page/clocks/page-clock.ts';

/** A page's time in a network whose time was `began_ms` when the page was opened. */
export class SessionClock implements PageClock {
  readonly #network: Pick<RoutedNetwork, 'at' | 'now_ms'>;
  readonly #began_ms: number;
  /** The requested time of the latest event, because its sum with `began_ms` may have been rounded down. */
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

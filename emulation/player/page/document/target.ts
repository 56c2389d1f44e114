import type { Host } from '../host.ts';
import { PageEvent } from './page-event.ts';

type Listener = ((event: PageEvent) => void) | { handleEvent(event: PageEvent): void };

interface Entry {
  readonly type: string;
  readonly listener: Listener;
  readonly once: boolean;
}

type Options = boolean | { readonly once?: boolean; readonly signal?: AbortSignal };

/** `EventTarget`: listeners, and handlers such as `onload`. Targets have no parents, so events do not bubble. */
export class Target {
  protected readonly host: Host;
  #entries: readonly Entry[] = [];

  constructor(host: Host) {
    this.host = host;
  }

  addEventListener(type: string, listener: Listener | null, options: Options = {}): void {
    const { once = false, signal } = typeof options === 'boolean' ? {} : options;
    if (!listener || this.#entries.some((entry) => entry.type === type && entry.listener === listener))
      return;
    this.#entries = [...this.#entries, { type, listener, once }];
    signal?.addEventListener('abort', () => this.removeEventListener(type, listener));
  }

  removeEventListener(type: string, listener: Listener | null): void {
    this.#entries = this.#entries.filter((entry) => entry.type !== type || entry.listener !== listener);
  }

  dispatchEvent(event: PageEvent): boolean {
    event.target = event.currentTarget = this;
    const handler = (this as Record<string, unknown>)[`on${event.type}`];
    if (typeof handler === 'function') this.#call(handler as (event: PageEvent) => void, event);
    for (const entry of this.#entries) {
      if (entry.type !== event.type || !this.#entries.includes(entry)) continue;
      if (entry.once) this.removeEventListener(entry.type, entry.listener);
      this.#call(entry.listener, event);
    }
    return !event.defaultPrevented;
  }

  /** Dispatches an event with only these fields. */
  protected fire(type: string, fields?: object): void {
    this.dispatchEvent(Object.assign(new PageEvent(type), { timeStamp: this.host.clock.now_ms }, fields));
  }

  #call(listener: Listener, event: PageEvent): void {
    try {
      if (typeof listener === 'function') listener.call(this, event);
      else listener.handleEvent(event);
    } catch (error) {
      this.host.report(error);
    }
  }
}

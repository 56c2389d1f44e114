import { demand } from '../demand.ts';

type Listener<Event> = (event: Event) => unknown;

/**
 * Calls listeners in a microtask, so that they cannot disturb the current work. A listener that is added before the
 * microtask runs is called too. If a listener throws or rejects, the other listeners are still called. Only the first
 * error of each listener is reported.
 */
export class Emitter<Events extends object> {
  readonly #listeners: ReadonlyMap<keyof Events, Set<Listener<never>>>;
  readonly #report: (type: keyof Events, error: unknown) => void;
  readonly #reported = new WeakSet<Listener<never>>();

  constructor(types: readonly (keyof Events)[], report: (type: keyof Events, error: unknown) => void) {
    this.#listeners = new Map(types.map((type) => [type, new Set()]));
    this.#report = report;
  }

  /**
   * Adds a listener and returns a function that removes the listener. Throws an Error for an unknown event or a listener that
   * is not a function.
   */
  on<Type extends keyof Events>(type: Type, listener: Listener<Events[Type]>): () => void {
    const listeners = this.#listeners.get(type);
    demand(listeners !== undefined, 'event', type, [...this.#listeners.keys()].join(', '));
    demand(typeof listener === 'function', 'listener', listener, 'a function');
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  /** Emits an event. If there is no listener when the microtask runs, calls `unheard` instead. */
  emit<Type extends keyof Events>(type: Type, event: Events[Type], unheard?: () => void): void {
    const listeners = this.#listeners.get(type) as ReadonlySet<Listener<Events[Type]>> | undefined;
    queueMicrotask(() => {
      if (!listeners?.size) unheard?.();
      for (const listener of [...(listeners ?? [])]) {
        if (!listeners?.has(listener)) continue;
        new Promise((called) => {
          called(listener(event));
        }).catch((error: unknown) => {
          if (this.#reported.has(listener)) return;
          this.#reported.add(listener);
          this.#report(type, error);
        });
      }
    });
  }
}

type Listener<Event> = (event: Event) => unknown;

/**
 * Tells listeners what has happened: those that are there after the work at hand, so that none can disturb it. A
 * listener's mistake is its own: the others are still told, and its first one is reported.
 */
export class Emitter<Events extends object> {
  readonly #listeners: ReadonlyMap<keyof Events, Set<Listener<never>>>;
  readonly #report: (type: keyof Events, error: unknown) => void;
  readonly #reported = new WeakSet<Listener<never>>();

  constructor(types: readonly (keyof Events)[], report: (type: keyof Events, error: unknown) => void) {
    this.#listeners = new Map(types.map((type) => [type, new Set()]));
    this.#report = report;
  }

  /** Returns a function that takes the listener away again. Throws an Error where there is no such event. */
  on<Type extends keyof Events>(type: Type, listener: Listener<Events[Type]>): () => void {
    const listeners = this.#listeners.get(type);
    if (!listeners) throw new Error(`unknown event ${String(type)}`);
    listeners.add(listener);
    return () => listeners.delete(listener);
  }

  emit<Type extends keyof Events>(type: Type, event: Events[Type]): void {
    const listeners = this.#listeners.get(type) as ReadonlySet<Listener<Events[Type]>> | undefined;
    queueMicrotask(() => {
      for (const listener of [...(listeners ?? [])]) {
        if (listeners?.has(listener)) void this.#tell(type, listener, event);
      }
    });
  }

  async #tell<Type extends keyof Events>(
    type: Type,
    listener: Listener<Events[Type]>,
    event: Events[Type],
  ): Promise<void> {
    try {
      await listener(event);
    } catch (error) {
      if (this.#reported.has(listener)) return;
      this.#reported.add(listener);
      this.#report(type, error);
    }
  }
}

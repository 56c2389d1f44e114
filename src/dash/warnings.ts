/** What does not go as it should, each told once. */
export class Warnings {
  readonly #told = new Set<string>();
  readonly #tell: (message: string) => void;

  constructor(tell: (message: string) => void) {
    this.#tell = tell;
  }

  warn(message: string): void {
    if (this.#told.has(message)) return;
    this.#told.add(message);
    this.#tell(message);
  }

  /** Whatever goes wrong in `action` must not stop the video. */
  guarded<T>(what: string, action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      this.warn(`${what}: ${messageOf(error)}`);
      return undefined;
    }
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

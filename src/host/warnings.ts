import { toText } from '../demand.ts';
import type { SammyWarning, WarningCode } from './handle.ts';

/** Forwards warnings, each message once. */
export class Warnings {
  readonly #messages = new Set<string>();
  readonly #passOn: (warning: SammyWarning) => void;

  constructor(forward: (warning: SammyWarning) => void) {
    this.#passOn = forward;
  }

  warn(code: WarningCode, message: string): void {
    if (this.#messages.has(message)) return;
    this.#messages.add(message);
    this.#passOn({ code, message });
  }

  /** Emits a warning about an error, and logs the error with its stack to the console. */
  reportError(code: WarningCode, error: unknown, where = ''): void {
    console.error(error);
    this.warn(code, where + errorMessage(error));
  }

  /**
   * Returns the result of `action`. If `action` throws, warns and returns undefined, so that playback does not stop.
   */
  guarded<T>(action: () => T, failed?: () => void): T | undefined {
    try {
      return action();
    } catch (error) {
      this.reportError('sammy-failed', error);
      failed?.();
      return undefined;
    }
  }
}

/** Returns the message of any thrown value. */
export const errorMessage = (error: unknown): string =>
  error instanceof Error ? error.message : toText(error);

import type { Session } from './session.ts';
import type { Warnings } from '../host/warnings.ts';

/** The functions of Sammy that every dash.js version's adapter uses. */
export interface Hooks {
  /**
   * Returns the result of `action`. If it throws, emits a warning, lets dash.js choose the rungs afterwards, and returns
   * undefined, so that playback does not stop.
   */
  guarded<T>(action: () => T): T | undefined;
  readonly warnings: Warnings;
  /** Returns the session of the current source. Call it inside `guarded`. */
  session(): Session;
}

/** Sammy installed in a player. */
export interface Installation {
  /** Called when options or the session have changed. */
  refresh(): void;
  /** Removes everything that was installed. */
  uninstall(): void;
}

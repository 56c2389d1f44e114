import type { Session } from './session.ts';
import type { Warnings } from '../host/warnings.ts';

/** The access to Sammy that every dash.js version's adapter needs. */
export interface Hooks {
  /**
   * Returns the result of `action`. If it throws, warns, lets dash.js choose the rungs from then on, and returns undefined, so
   * that playback does not stop.
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

import type { Session } from './session.ts';
import type { Warnings } from '../host/warnings.ts';

/** Sammy, as the installer of every dash.js version reaches it. */
export interface Hooks {
  /**
   * Returns the result of `action`, of what dash.js asks for or reports. If it throws, warns, leaves the choice of rungs to
   * dash.js from then on, and returns undefined, so that the video does not stop.
   */
  guarded<T>(action: () => T): T | undefined;
  readonly warnings: Warnings;
  /** The session of the present source. It is to be used inside `guarded`. */
  session(): Session;
}

/** Sammy, as installed in a player of one dash.js version. */
export interface Installation {
  /** Called when options or the session have changed. */
  refresh(): void;
  /** Removes everything that was installed. */
  uninstall(): void;
}

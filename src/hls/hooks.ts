import type { Warnings } from '../host/warnings.ts';
import type { Session } from './session.ts';

/** The access to Sammy that the parts of the adapter need. */
export interface Hooks {
  /**
   * Returns the result of `action`. If it throws, warns, lets hls.js choose the levels from then on, and returns undefined, so
   * that playback does not stop.
   */
  guarded<T>(action: () => T): T | undefined;
  readonly warnings: Warnings;
  /** Returns the session of the current source. */
  session(): Session;
}

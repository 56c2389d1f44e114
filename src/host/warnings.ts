/** Identifies a kind of warning for programs. The message is for people and may change. */
export type WarningCode =
  /** The server does not pace as `rtp` asks. */
  | 'pacing-not-honored'
  /** A server refuses requests that carry `rtp`; they are repeated without it, and it is asked for no pace for an hour or a day. */
  | 'rtp-refused'
  /** The manifest gives no bitrates for a media type, so Sammy neither chooses its rungs nor paces it. */
  | 'no-bitrates'
  /** Something else has set what Sammy overrides in the player's settings, as dash.js's resetSettings() does; it is overridden again. */
  | 'settings-overridden'
  /** A listener of the application threw or rejected; reported once per listener. */
  | 'listener-failed'
  /** Sammy, or an algorithm or a policy of the application, threw an error; the player chooses the rungs from then on. */
  | 'sammy-failed';

/** A report of something that went wrong. Playback goes on without it. */
export interface SammyWarning {
  readonly code: WarningCode;
  readonly message: string;
}

/** Passes warnings on, each message once. */
export class Warnings {
  readonly #messages = new Set<string>();
  readonly #passOn: (warning: SammyWarning) => void;

  constructor(passOn: (warning: SammyWarning) => void) {
    this.#passOn = passOn;
  }

  warn(code: WarningCode, message: string): void {
    if (this.#messages.has(message)) return;
    this.#messages.add(message);
    this.#passOn({ code, message });
  }

  /** Warns of an error, whose stack the console has. */
  caught(code: WarningCode, error: unknown, where = ''): void {
    console.error(error);
    this.warn(code, where + messageOf(error));
  }

  /** Returns the result of `action`. If it throws, warns and returns undefined, so that the video does not stop. */
  guarded<T>(action: () => T, failed?: () => void): T | undefined {
    try {
      return action();
    } catch (error) {
      this.caught('sammy-failed', error);
      failed?.();
      return undefined;
    }
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

/** What a warning is about, for programs; its message is for people, and may change. */
export type WarningCode =
  /** The server does not pace as `rtp` asks it to. */
  | 'pacing-not-honored'
  /** The manifest gives no bitrates for a media type: nothing to choose from, and no pace. */
  | 'no-bitrates'
  /** A sidecar could not be fetched, or is none. */
  | 'sidecar-failed'
  /** A listener of the application has thrown or rejected; told once for each. */
  | 'listener-failed'
  /** Sammy has failed, or an algorithm or a policy of the application; dash.js goes on by itself meanwhile. */
  | 'sammy-failed';

/** Something did not go as it should; playback goes on without it. */
export interface SammyWarning {
  readonly code: WarningCode;
  readonly message: string;
}

/** What does not go as it should, each told once. */
export class Warnings {
  readonly #told = new Set<string>();
  readonly #tell: (warning: SammyWarning) => void;

  constructor(tell: (warning: SammyWarning) => void) {
    this.#tell = tell;
  }

  warn(code: WarningCode, message: string): void {
    if (this.#told.has(message)) return;
    this.#told.add(message);
    this.#tell({ code, message });
  }

  /** Whatever goes wrong in `action` must not stop the video. */
  guarded<T>(what: string, action: () => T): T | undefined {
    try {
      return action();
    } catch (error) {
      this.warn('sammy-failed', `${what}: ${messageOf(error)}`);
      return undefined;
    }
  }
}

export const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));

import type { CompletedDecision, SammyOptions, SessionSummary } from '../../../src/index.ts';
import type { TunedArm } from '../arms/tuned.ts';
import type { PatienceName } from '../light/patience.ts';

/** The media element's events that show whether it plays, by their names in HTML. */
export const PLAYBACK_EVENTS = ['playing', 'waiting', 'seeking', 'pause'] as const;

/** A change of playback, and the video buffer level at that time. */
export interface PlaybackEvent {
  /** Seconds since the request for playback. */
  readonly t_s: number;
  readonly event: (typeof PLAYBACK_EVENTS)[number];
  readonly buffer_s: number;
}

/** The description of a session for the page. */
export interface Play {
  readonly arm: string;
  /** The arm's definition, if it is not in the lab's list. */
  readonly tuned?: TunedArm;
  /** Options of the plug-in, in addition to the options of the arm. */
  readonly sammy: Pick<SammyOptions, 'c0' | 'c1' | 'beta' | 'lookahead_s'>;
  readonly manifest: string;
  readonly sidecar: string;
  /** The session's length if nothing makes the viewer leave early. */
  readonly seconds: number;
  /** The viewer's patience. If absent, the viewer stays for all of `seconds`. */
  readonly patience?: { readonly of: PatienceName; readonly rank: number };
  /** The buffer level up to which dash.js downloads, s; dash.js's default if not given. */
  readonly buffer_s?: number;
  /**
   * The throughputs that the viewer's earlier sessions measured, kbit/s; the most recent is last. The plug-in remembers
   * all of them, dash.js only the most recent.
   */
  readonly history?: readonly number[];
}

/** The page's record of a session. Times that are not since 1970 count from the request for playback. */
export interface Played {
  /** When playback was requested, ms since 1970. */
  readonly requestedAt_ms: number;
  /** When playback began, ms since 1970; null if it never began. */
  readonly playingAt_ms: number | null;
  readonly summary: SessionSummary;
  readonly decisions: readonly CompletedDecision[];
  /** The video buffer level over time, as [t_s, buffer_s]. */
  readonly buffer: readonly (readonly [number, number])[];
  readonly playback: readonly PlaybackEvent[];
  readonly warnings: readonly string[];
  readonly errors: readonly PlayerError[];
  /** The throughput history for the viewer's next session, as in `Play`. */
  readonly history: readonly number[];
}

/** A fatal error of a player. */
export interface PlayerError {
  readonly message: string;
  /** Set if the player says that the network caused the error. The message is then the error's name in the player. */
  readonly byNetwork?: true;
}

/**
 * Returns the name of the network error that ended playback, or undefined without an error. Such an error is a result of
 * the session; for any other error, throws an Error of one line. Only the first error is examined, because it may have
 * caused the others.
 */
export function findNetworkError({ errors: [error] }: Pick<Played, 'errors'>): string | undefined {
  if (error && !error.byNetwork) throw new Error(`the player reports: ${error.message}`);
  return error?.message;
}

/** The page's functions, on `window`. */
export interface LabPage {
  play(play: Play): Promise<Played>;
}

/** The player inside the link: a browser, or a viewer without a browser. */
export interface SessionPlayer {
  /**
   * Plays one session, within this many seconds. `onPlaying` is called when playback begins. Throws an Error of one
   * line.
   */
  play(play: Play, within_s: number, onPlaying: () => unknown): Promise<Played>;
  close(): Promise<unknown>;
}

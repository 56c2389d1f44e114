import type { CompletedDecision, Decision, PacingHonored, Phase, PhaseChange } from '../decision.ts';
import type { TextStorage } from '../learning/text-storage.ts';
import type { ResolvedOptions, SammyOptions } from '../options.ts';
import type { SessionRecorder, SessionSummary } from '../session/summary.ts';

export interface AttachOptions extends SammyOptions {
  /**
   * Where to keep the initial-phase throughput of earlier sessions; null keeps nothing.
   * @defaultValue localStorage
   */
  readonly storage?: TextStorage | null | undefined;
  /**
   * `sessionSummary`, to have each session summarized.
   * @defaultValue undefined
   */
  readonly summary?: (() => SessionRecorder) | undefined;
}

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

export interface SammyEvents {
  /** A media segment is about to be requested. */
  request: Decision;
  /** The request for a media segment has ended; the record is complete. */
  decision: CompletedDecision;
  /** A session has ended, because another source was attached or Sammy was detached. Only with the option `summary`. */
  summary: SessionSummary;
  /** `sammy.phase` has changed; with a new source it is `initial` again. */
  phase: PhaseChange;
  /** Something went wrong, for example the server does not pace; playback continues. Each message is emitted once. */
  warning: SammyWarning;
}

/** What `attachSammy` returns. */
export interface SammyHandle {
  readonly options: ResolvedOptions;
  readonly phase: Phase;
  /** Whether the server paces as asked. The warning `pacing-not-honored` is emitted when it does not. */
  readonly pacingHonored: PacingHonored;
  /**
   * The latest 1000 requests of this session that have ended, a quarter of an hour of video and audio in segments of 2 s.
   * To get all of them, listen to `decision`.
   */
  readonly decisions: readonly CompletedDecision[];
  /** The summary of this session so far; null without the option `summary`. */
  readonly summary: SessionSummary | null;
  /**
   * Changes options from the next request on. Throws an Error that names an option out of range, and then changes
   * nothing. `sidecar` and `sizes` apply to the current source; pass those of the next source after `attachSource`.
   */
  update(options: SammyOptions): void;
  /** Adds a listener and returns a function that removes it. Listeners are called after the current work. */
  on<Type extends keyof SammyEvents>(type: Type, listener: (event: SammyEvents[Type]) => void): () => void;
  /** Forgets the initial-phase throughput of earlier sessions. */
  resetHistory(): void;
  /** Removes Sammy from the player: the player's choices, settings and requests are again as before. */
  detach(): void;
}

import type { CompletedDecision, Decision, PacingHonored, Phase, PhaseChange } from '../decision.ts';
import type { TextStorage } from '../learning/text-storage.ts';
import type { ResolvedOptions, SammyOptions } from '../options.ts';
import type { SessionRecorder, SessionSummary } from '../session/summary.ts';

export interface AttachOptions extends SammyOptions {
  /**
   * Storage for the throughput of the initial phase of earlier sessions. With null, nothing is stored.
   * @defaultValue localStorage
   */
  readonly storage?: TextStorage | null | undefined;
  /**
   * `sessionSummary` enables summaries of sessions.
   * @defaultValue undefined
   */
  readonly summary?: (() => SessionRecorder) | undefined;
}

/** Identifies a kind of warning for programs. The message is for people and may change. */
export type WarningCode =
  /** The server does not honor `rtp`. */
  | 'pacing-not-honored'
  /**
   * A server refuses requests with `rtp`. Sammy repeats them without `rtp`, and requests no pace from this server in
   * this session and in those of the next hour or day.
   */
  | 'rtp-refused'
  /** The manifest has no bitrates for a media type, so Sammy neither chooses rungs nor paces segments of this type. */
  | 'no-bitrates'
  /**
   * Other code, such as dash.js's resetSettings(), has overwritten settings that Sammy overrides. Sammy has restored its
   * values.
   */
  | 'settings-overridden'
  /** A listener of the application threw or rejected; reported once per listener. */
  | 'listener-failed'
  /** Sammy, or an algorithm or a policy of the application, threw an error. The player chooses the rungs afterwards. */
  | 'sammy-failed';

/** A report of a problem. Playback continues. */
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
  /** `sammy.phase` has changed. With a new source, it is `initial` again. */
  phase: PhaseChange;
  /**
   * There is a problem, for example that the server does not pace. Playback continues. Each message is emitted once.
   */
  warning: SammyWarning;
}

/** Controls Sammy in one player. Returned by `attachSammy`. */
export interface SammyHandle {
  readonly options: ResolvedOptions;
  readonly phase: Phase;
  /** Whether the server paces as requested. If not, the warning `pacing-not-honored` is emitted. */
  readonly pacingHonored: PacingHonored;
  /**
   * The latest 1000 completed requests of this session, about 17 minutes of video and audio with segments of 2 s. To
   * receive all requests, listen to `decision`.
   */
  readonly decisions: readonly CompletedDecision[];
  /** The summary of this session so far; null without the option `summary`. */
  readonly summary: SessionSummary | null;
  /**
   * Changes options for the following requests. Throws an Error that names an option out of range; the options are then
   * unchanged. `sidecar` and `sizes` apply to the current source: set them again after the next source is attached.
   */
  update(options: SammyOptions): void;
  /** Adds a listener and returns a function that removes the listener. Listeners are called in a microtask. */
  on<Type extends keyof SammyEvents>(type: Type, listener: (event: SammyEvents[Type]) => void): () => void;
  /** Deletes the stored throughput of earlier sessions. */
  resetHistory(): void;
  /** Removes Sammy from the player: restores the player's own rules, settings and requests. */
  detach(): void;
}

import type { CompletedDecision, Decision } from '../decision.ts';
import type { PacingHonored } from '../edge-trust.ts';
import type { TextStorage } from '../history.ts';
import type { ResolvedOptions, SammyOptions } from '../options.ts';
import type { Phase } from '../phase.ts';
import type { Sidecar } from '../sidecar.ts';
import type { SessionSummary } from '../summary.ts';

export interface AttachOptions extends Omit<SammyOptions, 'sidecar'> {
  /** The sidecar, or where to fetch it. It is the first source's: give the next one's with `update`. */
  readonly sidecar?: Sidecar | string | undefined;
  /** Where initial-phase throughput is remembered between sessions; null remembers nothing. Default: localStorage. */
  readonly storage?: TextStorage | null | undefined;
}

export interface SammyEvents {
  /** A media segment is about to be requested. */
  request: Decision;
  /** A media segment's request has ended: the whole record. */
  decision: CompletedDecision;
  /** A session has ended, because another source was attached or Sammy was detached. */
  summary: SessionSummary;
  /** Something did not go as it should; playback goes on without it. */
  warning: string;
}

/** What `attachSammy` returns. */
export interface SammyHandle {
  readonly options: ResolvedOptions;
  readonly phase: Phase;
  /** Whether the edge paces as it is asked to; a warning tells when it turns out not to. */
  readonly pacingHonored: PacingHonored;
  /**
   * The latest 1000 of this session's requests that have ended: a quarter of an hour of video and audio in segments of
   * 2 s. Who wants all listens to `decision`.
   */
  readonly decisions: readonly CompletedDecision[];
  /** Of this session, as far as it has come. */
  readonly summary: SessionSummary;
  /**
   * Changes options from the next request on; throws an Error that names an option out of range. A sidecar is
   * for the source that is attached now, and goes with it; `sidecar: undefined` takes it away.
   */
  update(options: SammyOptions): void;
  /** Returns a function that takes the listener away again. */
  on<Type extends keyof SammyEvents>(type: Type, listener: (event: SammyEvents[Type]) => void): () => void;
  /** Forgets the initial-phase throughput of earlier sessions. */
  resetHistory(): void;
  /** Gives dash.js back as it was: rules, settings, requests. */
  detach(): void;
}

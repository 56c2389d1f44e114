import type { CompletedDecision, Decision } from '../session/decision.ts';
import type { PacingHonored } from '../learning/edge-trust.ts';
import type { TextStorage } from '../learning/history.ts';
import type { ResolvedOptions, SammyOptions } from '../options.ts';
import type { Phase, PhaseChange } from '../session/phase.ts';
import type { Sidecar } from '../film/sidecar.ts';
import type { SessionSummary } from '../session/summary.ts';
import type { SammyWarning } from './warnings.ts';

export interface UpdateOptions extends Omit<SammyOptions, 'sidecar'> {
  /**
   * The sidecar, or where to fetch it: until it has come the one before stands, and where it does not come a warning
   * says why. Like `sizes` it belongs to the source that it was given for, and goes with it; undefined takes it away.
   */
  readonly sidecar?: Sidecar | string | undefined;
}

export interface AttachOptions extends UpdateOptions {
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
  /** `sammy.phase` has changed; with a new source it is `initial` again. */
  phase: PhaseChange;
  warning: SammyWarning;
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
   * Changes options from the next request on; throws an Error that names an option out of range, and then changes
   * nothing. `sidecar` and `sizes` are for the source that is attached now: give the next one's after `attachSource`.
   */
  update(options: UpdateOptions): void;
  /** Listeners are called after the work at hand. Returns a function that takes the listener away again. */
  on<Type extends keyof SammyEvents>(type: Type, listener: (event: SammyEvents[Type]) => void): () => void;
  /** Forgets the initial-phase throughput of earlier sessions. */
  resetHistory(): void;
  /** Gives dash.js back as it was: rules, settings, requests. */
  detach(): void;
}

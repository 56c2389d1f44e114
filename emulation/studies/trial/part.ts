import type { TracedLink } from '../../network/links/trace-files/read-traces.ts';
import type { RunOutcome } from '../../harness/runs/study.ts';
import type { DrawnSession } from './draw-sessions.ts';

/** The data that all sessions of a trial share. */
export interface TrialSetup {
  /** The folder of the video. */
  readonly film: string;
  /** The title of the video in the tables. */
  readonly channel: string;
  readonly longest_s: number;
  readonly networks: readonly TracedLink[];
}

/** The meaning of a code on one day: an arm, and the file of the arm's current model. */
export interface CodedArm {
  readonly code: string;
  /** The arm's number in the tables, the same on all days. */
  readonly expt_id: number;
  readonly arm: string;
  readonly model: string | null;
  /** The share of segments with a random rung, for an arm that learns in the trial, %. */
  readonly explored_pct: number;
}

/** Some of the sessions of a day. Their tables have a separate folder. */
export interface Part {
  readonly arms: readonly CodedArm[];
  readonly sessions: readonly (DrawnSession & { readonly code: string })[];
}

/** A part, and the folder for its results. */
export interface PartTask extends Part {
  readonly folder: string;
}

/** Plays a part into a folder. A part that `signal` ends early counts as failed, for that reason. */
export type PlayPart = (part: Part, folder: string, signal: AbortSignal) => Promise<RunOutcome>;

/** The file that marks every finished part and model. */
export const RECORD = 'part.json';

import type { TracedLink } from '../../network/links/trace-files/read-traces.ts';
import type { RunOutcome } from '../../harness/runs/study.ts';
import type { DrawnSession } from './draw-sessions.ts';

/** The data that all sessions of a trial share. */
export interface TrialSetup {
  /** The folder of the video, and its title. */
  readonly film: string;
  readonly channel: string;
  readonly longest_s: number;
  readonly networks: readonly TracedLink[];
}

/** The meaning of a code on a day: an arm, and the file of its current model. */
export interface CodedArm {
  readonly code: string;
  /** The group's number in the tables, the same on all days. */
  readonly expt_id: number;
  readonly arm: string;
  readonly model: string | null;
  /** The share of segments with a drawn rung, for an arm that learns in the trial. */
  readonly explored_pct: number;
}

/** Some sessions of a day, whose tables are in a folder of their own. */
export interface Part {
  readonly arms: readonly CodedArm[];
  readonly sessions: readonly (DrawnSession & { readonly code: string })[];
}

/** A part, and the folder for its results. */
export interface PartTask extends Part {
  readonly folder: string;
}

/** Plays a part into a folder; one that `signal` ended early has failed for this reason. */
export type PlayPart = (part: Part, folder: string, signal: AbortSignal) => Promise<RunOutcome>;

/** The file that marks every finished part and model. */
export const RECORD = 'part.json';

import type { TracedLink } from '../../network/links/trace-files/read-traces.ts';
import type { RunOutcome } from '../../harness/runs/study.ts';
import type { DrawnSession } from './draw-sessions.ts';

/** What all sessions of a trial share. */
export interface Course {
  /** The folder of the film, and its name. */
  readonly film: string;
  readonly channel: string;
  readonly longest_s: number;
  readonly networks: readonly TracedLink[];
}

/** What a code stands for on a day: an arm, and the file of the model that it has then. */
export interface CodedArm {
  readonly code: string;
  /** Of the tables, and the same on all days. */
  readonly expt_id: number;
  readonly arm: string;
  readonly model: string | null;
  /** Of the segments of an arm that learns in the trial, those whose rung is drawn. */
  readonly explored_pct: number;
}

/** Some sessions of a day, whose tables are in a folder of their own. */
export interface Part {
  readonly arms: readonly CodedArm[];
  readonly sessions: readonly (DrawnSession & { readonly code: string })[];
}

/** A part, and the folder into which it is to be played. */
export interface PartTask extends Part {
  readonly folder: string;
}

/** Plays a part into a folder; one that was ended early by `signal` has failed for this reason. */
export type PlayPart = (part: Part, folder: string, signal: AbortSignal) => Promise<RunOutcome>;

/** The file that every finished part and model has. */
export const RECORD = 'part.json';

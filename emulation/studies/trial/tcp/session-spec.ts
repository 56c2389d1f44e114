import { defineRun } from '../../../harness/runs/run-program.ts';
import type { MachineRecord } from '../../../network/measure/machine/machine-watch.ts';
import type { TracedLink } from '../../../network/links/trace-files/read-traces.ts';
import type { DrawnSession } from '../draw-sessions.ts';
import type { CodedArm, Course } from '../part.ts';

/** One session, as plain data for the process that plays it. */
export interface SessionSpec {
  readonly course: Omit<Course, 'networks'>;
  readonly traced: TracedLink;
  readonly session: DrawnSession;
  readonly arm: CodedArm;
  /** For the tables and `part.json`. */
  readonly folder: string;
}

export const trialSessionRun = defineRun<SessionSpec>(new URL('run-tcp-session.ts', import.meta.url));

/** `part.json`, which has the arm as its letter. */
export interface SessionRecord {
  readonly session_id: string;
  readonly arm: string;
  readonly condition: string;
  /** When it was really played. */
  readonly requested: string;
  readonly machine: MachineRecord;
  /** Of a session that does not count, and has no tables, why. */
  readonly left_out?: string;
}

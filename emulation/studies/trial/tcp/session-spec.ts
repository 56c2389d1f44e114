import { defineRun } from '../../../harness/runs/run-program.ts';
import type { MachineRecord } from '../../../network/measure/machine/machine-watch.ts';
import type { TracedLink } from '../../../network/links/trace-files/read-traces.ts';
import type { DrawnSession } from '../draw-sessions.ts';
import type { CodedArm, TrialSetup } from '../part.ts';

/** The description of one session, as plain data for its process. */
export interface SessionSpec {
  readonly course: Omit<TrialSetup, 'networks'>;
  readonly traced: TracedLink;
  readonly session: DrawnSession;
  readonly arm: CodedArm;
  /** The folder for the session's tables and `part.json`. */
  readonly folder: string;
}

export const trialSessionRun = defineRun<SessionSpec>(new URL('run-tcp-session.ts', import.meta.url));

/** The format of `part.json`, in which the arm is only a letter. */
export interface SessionRecord {
  readonly session_id: string;
  readonly arm: string;
  readonly condition: string;
  /** When the session was actually played. */
  readonly requested: string;
  readonly machine: MachineRecord;
  /** The reason why the session is excluded; it then has no tables. */
  readonly left_out?: string;
}

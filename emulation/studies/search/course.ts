import { defineWork } from '../../../system/processes/work.ts';
import type { TunedArm } from '../../player/arms/tuned.ts';
import type { TracedLink } from '../../network/links/trace-files/read-traces.ts';
import type { Outcome } from './outcome.ts';

/** What all sessions of a search share. */
export interface Course {
  readonly film: string;
  readonly seconds: number;
  readonly traces: readonly TracedLink[];
}

/** An arm of the list, or a tuned one, on a trace of the course. */
export interface Task {
  readonly arm: string | TunedArm;
  readonly trace: number;
}

export const searchedSessions = defineWork<Course, Task, Outcome>({
  of: 'the simulator',
  program: new URL('./worker.ts', import.meta.url),
});

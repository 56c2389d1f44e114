import { defineWork } from '../../../system/processes/work.ts';
import type { TracedLink } from '../../network/links/trace-files/read-traces.ts';

/** What all sessions of a training share. */
export interface Course {
  readonly film: string;
  readonly seconds: number;
  readonly paced: boolean;
  readonly traces: readonly TracedLink[];
}

/** Sessions by a policy, one for each seed, which draws trace, place and rungs. */
export interface Task {
  /** The file, base64. */
  readonly policy: string;
  readonly seeds: readonly number[];
}

/** Of each session, float32, base64: how many rungs there are, and then its steps: inputs, action, ln of its probability, reward. */
export const learningSessions = defineWork<Course, Task, string[]>({
  of: 'the simulator',
  program: new URL('./worker.ts', import.meta.url),
});

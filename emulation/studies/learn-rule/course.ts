import { defineWork } from '../../../system/processes/work.ts';
import type { TracedLink } from '../../network/links/trace-files/read-traces.ts';

/** The data that all sessions of a training share. */
export interface TrainingSetup {
  readonly film: string;
  readonly seconds: number;
  readonly paced: boolean;
  readonly traces: readonly TracedLink[];
}

/**
 * Sessions to play with a policy, one for each seed. The seed determines the trace, the position in it, and the rungs.
 */
export interface Task {
  /** The content of the policy's file, base64. */
  readonly policy: string;
  readonly seeds: readonly number[];
}

/**
 * Plays sessions. The result has for each session an array of float32, base64: the number of rungs, and then for each
 * step its inputs, its action, ln of the action's probability, and its reward.
 */
export const learningSessions = defineWork<TrainingSetup, Task, string[]>({
  of: 'the simulator',
  program: new URL('./worker.ts', import.meta.url),
});

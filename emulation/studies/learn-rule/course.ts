import { defineWork } from '../../../system/processes/work.ts';
import type { TracedLink } from '../../network/links/trace-files/read-traces.ts';

/** The data that all sessions of a training share. */
export interface TrainingSetup {
  readonly film: string;
  readonly seconds: number;
  readonly paced: boolean;
  readonly traces: readonly TracedLink[];
}

/** Sessions by a policy, one for each seed, which draws trace, position and rungs. */
export interface Task {
  /** The policy's file, base64. */
  readonly policy: string;
  readonly seeds: readonly number[];
}

/**
 * For each session an array of float32, base64: the number of rungs, followed by its steps: inputs, action, ln of its
 * probability, reward.
 */
export const learningSessions = defineWork<TrainingSetup, Task, string[]>({
  of: 'the simulator',
  program: new URL('./worker.ts', import.meta.url),
});

import { defineWork } from '../../../system/processes/work.ts';
import type { TunedArm } from '../../player/arms/tuned.ts';
import type { TracedLink } from '../../network/links/trace-files/read-traces.ts';
import type { Outcome } from './outcome.ts';

/** The data that all sessions of a search share. */
export interface SearchSetup {
  readonly film: string;
  readonly seconds: number;
  readonly traces: readonly TracedLink[];
}

/** Sessions to play: an arm, listed or tuned, on one of the traces. */
export interface Task {
  readonly arm: string | TunedArm;
  readonly trace: number;
}

export const searchedSessions = defineWork<SearchSetup, Task, Outcome>({
  of: 'the simulator',
  program: new URL('./worker.ts', import.meta.url),
});

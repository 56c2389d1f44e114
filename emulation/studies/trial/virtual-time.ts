import { setImmediate } from 'node:timers/promises';
import { ProcessPool } from '../../../system/processes/process-pool.ts';
import { defineWork } from '../../../system/processes/work.ts';
import type { RunContext } from '../../harness/runs/study.ts';
import type { TrialSetup, PartTask, PlayPart } from './part.ts';
import { partWriter } from './trial-player.ts';

export const playedParts = defineWork<TrialSetup, PartTask, undefined>({
  of: 'the trial',
  program: new URL('./worker.ts', import.meta.url),
});

/** Returns a function that plays parts in `jobs` processes, or in this process if `jobs` is 1. */
export async function inVirtualTime(
  course: TrialSetup,
  jobs: number,
  onClose: RunContext['onClose'],
): Promise<PlayPart> {
  const write = jobs === 1 ? await here(course) : elsewhere(course, jobs, onClose);
  return async (part, folder) => {
    await write({ ...part, folder });
    return { kind: 'finished' };
  };
}

async function here(course: TrialSetup) {
  const write = await partWriter(course);
  return async (task: PartTask): Promise<unknown> => {
    write(task);
    // Gives the event loop a chance to handle Ctrl-C.
    return setImmediate();
  };
}

function elsewhere(course: TrialSetup, jobs: number, onClose: RunContext['onClose']) {
  const pool = new ProcessPool(playedParts, course, jobs);
  onClose(() => pool.close());
  return (task: PartTask): Promise<unknown> => pool.ask(task);
}

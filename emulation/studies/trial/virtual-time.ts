import { setImmediate } from 'node:timers/promises';
import { ProcessPool } from '../../../system/processes/process-pool.ts';
import { defineWork } from '../../../system/processes/work.ts';
import type { RunContext } from '../../harness/runs/study.ts';
import type { Course, PartTask, PlayPart } from './part.ts';
import { partWriter } from './trial-player.ts';

export const playedParts = defineWork<Course, PartTask, undefined>({
  of: 'the trial',
  program: new URL('./worker.ts', import.meta.url),
});

/** So many processes; if it is one, it is this process. */
export async function inVirtualTime(
  course: Course,
  jobs: number,
  onClose: RunContext['onClose'],
): Promise<PlayPart> {
  const write = jobs === 1 ? await here(course) : elsewhere(course, jobs, onClose);
  return async (part, folder) => {
    await write({ ...part, folder });
    return { kind: 'finished' };
  };
}

async function here(course: Course) {
  const write = await partWriter(course);
  return async (task: PartTask): Promise<unknown> => {
    write(task);
    // So that Ctrl-C is heard.
    return setImmediate();
  };
}

function elsewhere(course: Course, jobs: number, onClose: RunContext['onClose']) {
  const pool = new ProcessPool(playedParts, course, jobs);
  onClose(() => pool.close());
  return (task: PartTask): Promise<unknown> => pool.ask(task);
}

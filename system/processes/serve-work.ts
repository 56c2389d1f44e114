import { onEndingSignal } from '../ending-signals.ts';
import { errorLine } from '../error-line.ts';
import type { Answered, WorkMessage, Work } from './work.ts';

/**
 * Serves a work in its own process. `prepare` loads the course and returns the function that runs its tasks, until
 * the pool disconnects or ends. An error in a task is that task's answer; an error in `prepare` is the answer to
 * every task.
 */
export function serveWork<Course, Task, Result>(
  { atSignal = 'kept' }: Work<Course, Task, Result>,
  prepare: (course: Course) => Promise<(task: Task) => Result | Promise<Result>>,
): void {
  let prepared: ReturnType<typeof prepare> | undefined;

  const answer = async (task: Task): Promise<Answered<Result>> => {
    try {
      if (!prepared) throw new Error('a task before the course');
      return { result: await (await prepared)(task) };
    } catch (error) {
      return { error: errorLine(error) };
    }
  };
  process.on('message', (message) => {
    const asked = message as WorkMessage<Course, Task>;
    if ('task' in asked) {
      // If the pool is gone, the `disconnect` event ends this process.
      void answer(asked.task).then((answered) =>
        process.send?.(answered, undefined, undefined, () => undefined),
      );
      return;
    }
    prepared = prepare(asked.course);
    prepared.catch(() => undefined);
  });
  if (atSignal === 'kept') onEndingSignal(() => undefined);
  process.on('disconnect', () => process.exit());
}

import { onEndingSignal } from '../ending-signals.ts';
import { lineOf } from '../line-of.ts';
import type { Answered, WorkMessage, Work } from './work.ts';

/**
 * The process of a work: `prepare` loads what its course needs, and what it returns does the tasks, one after the other, until
 * who asks lets go of this process or ends. What fails is the answer to the task; a failure of `prepare` is that to each.
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
      return { error: lineOf(error) };
    }
  };
  process.on('message', (message) => {
    const asked = message as WorkMessage<Course, Task>;
    if ('task' in asked) {
      // Where who asked is gone, the disconnection ends this process.
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

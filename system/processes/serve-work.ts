import { onEndingSignal } from '../ending-signals.ts';
import { errorLine } from '../error-line.ts';
import type { Answered, WorkMessage, Work } from './work.ts';

/**
 * Runs the tasks of a pool in this process, until the pool disconnects or ends. `prepare` receives the pool's shared
 * input, and returns the function that runs a task. An error in a task is that task's answer. An error in `prepare` is
 * the answer to every task.
 */
export function serveWork<Shared, Task, Result>(
  { atSignal = 'kept' }: Work<Shared, Task, Result>,
  prepare: (shared: Shared) => Promise<(task: Task) => Result | Promise<Result>>,
): void {
  let prepared: ReturnType<typeof prepare> | undefined;

  const answer = async (task: Task): Promise<Answered<Result>> => {
    try {
      if (!prepared) throw new Error('a task arrived before the shared input');
      return { result: await (await prepared)(task) };
    } catch (error) {
      return { error: errorLine(error) };
    }
  };
  process.on('message', (message) => {
    const asked = message as WorkMessage<Shared, Task>;
    if ('task' in asked) {
      // A failed send is ignored: the pool has ended, and the `disconnect` event ends this process.
      void answer(asked.task).then((answered) =>
        process.send?.(answered, undefined, undefined, () => undefined),
      );
      return;
    }
    prepared = prepare(asked.shared);
    prepared.catch(() => undefined);
  });
  if (atSignal === 'kept') onEndingSignal(() => undefined);
  process.on('disconnect', () => process.exit());
}

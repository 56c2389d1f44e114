import { setFlagsFromString } from 'node:v8';
import { Worker, workerData } from 'node:worker_threads';

/** Runs a TypeScript module in a thread of its own; there, `threadData()` is `data`. */
export function startThread(module: URL, data?: unknown): Worker {
  // Otherwise garbage collection in the thread waits for helper threads, which do not get to run on a busy machine.
  setFlagsFromString('--no-parallel-scavenge');
  return new Worker(new URL('thread.mjs', import.meta.url), {
    workerData: { module: module.href, data },
    execArgv: [],
  });
}

/** What the thread was started with. */
export const threadData = (): unknown => (workerData as { data: unknown }).data;

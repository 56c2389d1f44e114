import { setFlagsFromString } from 'node:v8';
import { Worker, workerData } from 'node:worker_threads';

/** Runs a TypeScript module in a worker thread. `data` is the return value of `threadData()` in this thread. */
export function startThread(module: URL, data?: unknown): Worker {
  // With parallel scavenging, the thread's garbage collection waits for helper threads, which do not run on a busy
  // machine.
  setFlagsFromString('--no-parallel-scavenge');
  return new Worker(new URL('thread.mjs', import.meta.url), {
    workerData: { module: module.href, data },
    execArgv: [],
  });
}

/** The `data` argument of the `startThread` call that started this thread. */
export const threadData = (): unknown => (workerData as { data: unknown }).data;

import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { LinkRun } from './link-run.ts';
import { runLink } from './run-link.ts';
import type { SessionRow } from './session-row.ts';

/** Runs links in `jobs` processes; if that is 1, in this process. The rows are in the order of the runs. */
export async function runLinks(runs: readonly LinkRun[], jobs: number): Promise<SessionRow[][]> {
  if (jobs === 1) return runs.map(runLink);
  const results: SessionRow[][] = runs.map(() => []);
  const waiting = [...runs.entries()];
  await Promise.all(
    Array.from({ length: Math.min(jobs, runs.length) }, () =>
      withWorker(async (ask) => {
        for (let next = waiting.shift(); next; next = waiting.shift()) {
          const [index, run] = next;
          results[index] = await ask(run);
        }
      }),
    ),
  );
  return results;
}

/** Throws an Error if the process ends before it has answered. */
async function withWorker(use: (ask: (run: LinkRun) => Promise<SessionRow[]>) => Promise<void>) {
  const worker = fork(fileURLToPath(new URL('./worker.ts', import.meta.url)), {
    // Sessions keep what they make for minutes of virtual time: with room for young objects V8 copies a sixth less.
    execArgv: ['--max-semi-space-size=64', '--import', 'tsx'],
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const ask = (run: LinkRun) =>
    new Promise<SessionRow[]>((resolve, reject) => {
      worker.once('message', (rows) => resolve(rows as SessionRow[]));
      worker.once('exit', (status) =>
        reject(new Error(`a process of the world ended with status ${status ?? 'unknown'}`)),
      );
      worker.send(run);
    }).finally(() => worker.removeAllListeners());
  try {
    await use(ask);
  } finally {
    if (worker.connected) worker.disconnect();
  }
}

import { ProcessPool } from '../../../system/process-pool.ts';
import { defineWork } from '../../../system/work.ts';
import type { LinkRun } from './link-run.ts';
import { runLink } from './run-link.ts';
import type { SessionRow } from './session-row.ts';

export const ranLinks = defineWork<undefined, LinkRun, SessionRow[]>({
  of: 'the world',
  program: new URL('./worker.ts', import.meta.url),
  // Sessions keep what they make for minutes of virtual time: with room for young objects V8 copies a sixth less.
  options: ['--max-semi-space-size=64'],
  // A world that is cut off leaves nothing, and a link takes long.
  atSignal: 'ended',
});

/** Runs links in `jobs` processes; if that is 1, in this process. The rows are in the order of the runs. */
export async function runLinks(runs: readonly LinkRun[], jobs: number): Promise<SessionRow[][]> {
  if (jobs === 1) return runs.map(runLink);
  const pool = new ProcessPool(ranLinks, undefined, jobs);
  try {
    return await Promise.all(runs.map((run) => pool.ask(run)));
  } finally {
    pool.close();
  }
}

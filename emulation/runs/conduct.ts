import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BUSY_ATTEMPTS } from '../measure/machine/busy-rule.ts';
import { ENDED_EARLY, runName, runPath, type Making, type PlannedRun } from './experiment.ts';
import { requireFreeSpace } from '../files/free-space.ts';
import type { RemovedRun } from './manifest.ts';

export interface Conducting {
  /** All runs, in the order in which they are made. */
  readonly runs: readonly PlannedRun[];
  readonly make: Making['run'];
  readonly outDir: string;
  /** The name of the file that is in the folder of every finished run. */
  readonly record: string;
  /** The number of runs at a time. */
  readonly lanes: number;
  /** When aborted, no new run begins, and those under way are ended. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Conducted) => void;
  /** Called with each run that is repeated because its link was off or it failed. */
  readonly onRepeat: (run: RemovedRun) => void;
}

export interface Conducted {
  readonly done: number;
  readonly of: number;
  /** The number of finished runs that this process has made. */
  readonly made: number;
}

/**
 * How often a run is begun before it is given up. A machine that is busy for a while makes several runs invalid; what
 * fails again and again (a browser that dies, an arm that dash.js refuses) will not mend itself.
 */
const ATTEMPTS = { invalid: 12, failed: 3, busy: BUSY_ATTEMPTS };

/** Whether a run is finished: its folder has the record from the moment it exists, so others do not count. */
const isMade = ({ outDir, record }: Pick<Conducting, 'outDir' | 'record'>, run: PlannedRun): boolean =>
  existsSync(join(outDir, ...runPath(run), record));

/**
 * Makes all runs that are not finished yet. Throws an Error when one fails again and again; finished ones stay.
 */
export async function conduct(conducting: Conducting): Promise<'complete' | 'cut off'> {
  const { runs, lanes, signal, onProgress } = conducting;
  const queue = runs.filter((run) => !isMade(conducting, run));
  const progress = { done: runs.length - queue.length, of: runs.length, made: 0 };
  onProgress({ ...progress });

  const broken = new AbortController();
  const stop = AbortSignal.any([signal, broken.signal]);
  const lane = async () => {
    let run: PlannedRun | undefined;
    while (!stop.aborted && (run = queue.shift())) {
      await makeRun(run, conducting, stop);
      if (!isMade(conducting, run)) return;
      progress.done += 1;
      progress.made += 1;
      onProgress({ ...progress });
    }
  };
  const working = Array.from({ length: lanes }, () =>
    lane().catch((error: unknown) => {
      broken.abort();
      throw error;
    }),
  );
  await Promise.allSettled(working);
  await Promise.all(working);
  return progress.done === progress.of ? 'complete' : 'cut off';
}

async function makeRun(run: PlannedRun, conducting: Conducting, signal: AbortSignal): Promise<void> {
  const { outDir, make, onRepeat } = conducting;
  const target = join(outDir, ...runPath(run));
  await mkdir(dirname(target), { recursive: true });
  const left = { ...ATTEMPTS };
  while (!signal.aborted) {
    await requireFreeSpace(outDir);
    // A run is made in a temporary folder, so that a folder below `runs` is always a finished run.
    const folder = await mkdtemp(join(outDir, '.run-'));
    try {
      const outcome = await make(run, folder, signal);
      if (outcome.kind === 'finished' || (outcome.kind === 'busy' && left.busy === 1)) {
        await rm(target, { recursive: true, force: true });
        await rename(folder, target);
        return;
      }
      const { kind, reason } = outcome;
      // A run that was ended early has not failed.
      if (reason === ENDED_EARLY) return;
      onRepeat({ cell: run.cell, k: run.k, reason: `${kind}: ${reason}` });
      left[kind] -= 1;
      if (left[kind] === 0) {
        const what = kind === 'failed' ? 'failed' : 'was invalid';
        throw new Error(`run ${runName(run)} ${what} ${ATTEMPTS[kind]} times: ${reason}`);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

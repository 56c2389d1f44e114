import { mkdir, mkdtemp, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { BUSY_ATTEMPTS } from '../measure/machine/busy-rule.ts';
import { ENDED_EARLY, runName, runPath, type Making, type PlannedRun } from './experiment.ts';
import { requireFreeSpace } from './free-space.ts';
import type { RemovedRun } from './manifest.ts';

export interface Conducting {
  /** In the order in which they are made. */
  readonly runs: readonly PlannedRun[];
  readonly make: Making['run'];
  readonly outDir: string;
  /** The file that a finished run has in its folder. */
  readonly record: string;
  /** How many runs at a time. */
  readonly lanes: number;
  /** No new run begins, and those under way are given up. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Conducted) => void;
  /** A run whose link was off, or that failed; it is repeated. */
  readonly onRepeat: (run: RemovedRun) => void;
}

export interface Conducted {
  readonly done: number;
  readonly of: number;
  /** Of those done, by this process. */
  readonly made: number;
}

/**
 * How often a run is begun before it is given up. A machine that is busy for a while makes several runs invalid; what
 * fails again and again (a browser that dies, an arm that dash.js refuses) will not mend itself.
 */
const ATTEMPTS = { invalid: 12, failed: 3, busy: BUSY_ATTEMPTS };

/** A folder without the record is none of ours: ours have it from the moment they are there. */
const isMade = ({ outDir, record }: Pick<Conducting, 'outDir' | 'record'>, run: PlannedRun): boolean =>
  existsSync(join(outDir, ...runPath(run), record));

/**
 * Makes all runs that are not there yet. Throws an Error when one cannot be had; those that are finished stay.
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
    // Beside the finished ones, so that a folder of a run is a whole run.
    const folder = await mkdtemp(join(outDir, '.run-'));
    try {
      const outcome = await make(run, folder, signal);
      if (outcome.kind === 'finished' || (outcome.kind === 'busy' && left.busy === 1)) {
        await rm(target, { recursive: true, force: true });
        await rename(folder, target);
        return;
      }
      const { kind, reason } = outcome;
      // What was given up is no failure of the run's.
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

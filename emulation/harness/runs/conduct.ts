import { existsSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { join } from 'node:path';
import { requireFreeSpace } from '../../ground/files/free-space.ts';
import { runName, runPath, type Runner, type PlannedRun } from './study.ts';
import { inLanes, type Conducted } from './in-lanes.ts';
import { makeRun } from './make-run.ts';
import type { RemovedRun } from './manifest.ts';

export interface Conducting {
  /** All runs, in the order in which they are made. */
  readonly runs: readonly PlannedRun[];
  readonly make: Runner['run'];
  readonly keptBusy?: Runner['keptBusy'];
  /** The number of attempts at a run. If the machine was busy in all of them, the last attempt is kept. */
  readonly busyAttempts?: number | undefined;
  readonly outDir: string;
  /** The name of the file that marks the folder of a finished run. */
  readonly record: string;
  /** The number of parallel runs. */
  readonly lanes: number;
  /** When aborted, no new run begins, and current runs are ended. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Conducted) => void;
  /** Called with each run that is repeated, because its link was not as requested or it failed. */
  readonly onRepeat: (run: RemovedRun) => void;
}

/**
 * Makes all runs of an experiment that are not finished yet, stage by stage. Throws an Error when a run fails too
 * often; finished runs are kept.
 */
export async function conduct(conducting: Conducting): Promise<'complete' | 'cut off'> {
  const { runs, onProgress } = conducting;
  const stages = [...new Set(runs.map(getStage))].sort((a, b) => a - b);
  const before = { done: 0, made: 0 };
  for (const stage of stages) {
    let latest: Conducted = { done: 0, of: 0, made: 0 };
    const result = await conductStage({
      ...conducting,
      runs: runs.filter((run) => getStage(run) === stage),
      onProgress(progress) {
        latest = progress;
        const { done, made } = progress;
        onProgress({ done: before.done + done, of: runs.length, made: before.made + made });
      },
    });
    if (result === 'cut off') return result;
    before.done += latest.done;
    before.made += latest.made;
  }
  return 'complete';
}

const getStage = ({ stage = 0 }: PlannedRun): number => stage;

const conductStage = ({
  runs,
  make,
  busyAttempts,
  outDir,
  record,
  onRepeat,
  keptBusy,
  ...others
}: Conducting) => {
  const getFolder = (run: PlannedRun) => join(outDir, ...runPath(run));
  return inLanes({
    ...others,
    items: runs,
    isMade: (run) => existsSync(join(getFolder(run), record)),
    make: (run, signal) =>
      makeRun(
        {
          name: `run ${runName(run)}`,
          target: getFolder(run),
          busyAttempts,
          begin: async () => {
            await requireFreeSpace(outDir);
            return mkdtemp(join(outDir, '.run-'));
          },
          make: (folder, stop) => make(run, folder, stop),
          onRepeat: (reason) => onRepeat({ cell: run.cell, k: run.k, reason }),
          ...(keptBusy && { onKeptBusy: keptBusy }),
        },
        signal,
      ),
  });
};

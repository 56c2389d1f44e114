import { mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Experiment } from '../experiments/experiment.ts';
import type { InvalidRun } from '../report/manifest.ts';
import { seededRandom } from '../report/statistics/random.ts';
import type { RunSpec } from '../sessions/run-spec.ts';
import { ENDED_EARLY, startRun } from '../sessions/start-run.ts';
import { requireFreeSpace } from './free-space.ts';
import { planRuns, runPath, type PlannedRun } from './plan.ts';

export interface Conducting {
  readonly experiment: Experiment;
  readonly seed: number;
  readonly outDir: string;
  /** The built page, and the film's folder. */
  readonly page: string;
  readonly film: string;
  /** How many runs at a time. */
  readonly lanes: number;
  /** No new run begins, and those under way are given up. */
  readonly signal: AbortSignal;
  readonly onProgress: (progress: Conducted) => void;
  /** A run whose link was off, or that failed; it is repeated. */
  readonly onRepeat: (run: InvalidRun) => void;
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
const ATTEMPTS = { invalid: 12, failed: 3 };

/**
 * Makes all runs that are not there yet. Throws an Error when one cannot be had; those that are finished stay.
 */
export async function conduct(conducting: Conducting): Promise<'complete' | 'cut off'> {
  const { experiment, seed, outDir, lanes, signal, onProgress } = conducting;
  const planned = planRuns(experiment, seededRandom(seed));
  const missing = planned.filter((run) => !existsSync(join(outDir, ...runPath(run))));
  const progress = { done: planned.length - missing.length, of: planned.length, made: 0 };
  onProgress(progress);

  const queue = [...missing];
  const broken = new AbortController();
  const stop = AbortSignal.any([signal, broken.signal]);
  const lane = async () => {
    let run: PlannedRun | undefined;
    while (!stop.aborted && (run = queue.shift())) {
      await makeRun(run, conducting, stop);
      if (!existsSync(join(outDir, ...runPath(run)))) return;
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
  const { outDir, onRepeat } = conducting;
  const target = join(outDir, ...runPath(run));
  await mkdir(dirname(target), { recursive: true });
  const left = { ...ATTEMPTS };
  while (!signal.aborted) {
    await requireFreeSpace(outDir);
    // Beside the finished ones, so that a folder of a run is a whole run.
    const folder = await mkdtemp(join(outDir, '.run-'));
    try {
      const outcome = await startRun(await specOf(run, folder, conducting), signal);
      if (outcome.kind === 'finished') {
        await rename(folder, target);
        return;
      }
      const { kind, reason } = outcome;
      // What was given up is no failure of the run's.
      if (reason === ENDED_EARLY) return;
      const condition = run.condition?.name ?? null;
      onRepeat({ arm: run.arm, condition, k: run.k, reason: `${kind}: ${reason}` });
      left[kind] -= 1;
      if (left[kind] === 0) {
        const name = runPath(run).slice(1).join('/');
        const what = kind === 'failed' ? 'failed' : 'was invalid';
        throw new Error(`run ${name} ${what} ${ATTEMPTS[kind]} times: ${reason}`);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
}

async function specOf(
  run: PlannedRun,
  folder: string,
  { experiment, outDir, page, film }: Conducting,
): Promise<RunSpec> {
  const { arm, condition, k } = run;
  const { neighbour, buffer_s } = experiment;
  const history = await historyFor(run, outDir);
  return {
    arm,
    k,
    folder,
    page,
    film,
    ...(condition && { condition: condition.name }),
    seconds: experiment.seconds,
    link: condition?.link ?? experiment.link,
    switch: experiment.switch ?? 'mahimahi',
    congestionControl: experiment.congestionControl ?? 'reno',
    sammy: condition?.sammy ?? {},
    ...(neighbour !== undefined && { neighbour }),
    ...(buffer_s !== undefined && { buffer_s }),
    ...(condition?.burst_packets !== undefined && { burst_packets: condition.burst_packets }),
    ...(history !== undefined && { history }),
  };
}

/** What this session's viewer remembers: of the session before, or what the condition says. */
async function historyFor({ arm, condition, k }: PlannedRun, outDir: string): Promise<number[] | undefined> {
  if (condition?.remembered_kbps !== undefined) return [condition.remembered_kbps];
  if (condition?.history === undefined) return undefined;
  const before = join(outDir, ...runPath({ arm, condition, k: k - 1 }), 'history.json');
  if (k > 1 && existsSync(before)) {
    return (JSON.parse(await readFile(before, 'utf8')) as { sessions_kbps: number[] }).sessions_kbps;
  }
  const { begins_kbps } = condition.history;
  return begins_kbps === null ? undefined : [begins_kbps];
}

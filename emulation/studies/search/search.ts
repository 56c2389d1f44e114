import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import type { TunedArm } from '../../player/arms/tuned.ts';
import type { TracedLink } from '../../network/links/trace-files/read-traces.ts';
import { ProcessPool } from '../../../system/process-pool.ts';
import type { OnProgress } from '../../../system/progress.ts';
import { searchedSessions } from './course.ts';
import { chooseThree, CHOICES, frontOf, ABOUT_CHOICE } from './front.ts';
import { judge, type Judged } from './judge.ts';
import type { OptunaProgram } from '../../ground/programs/optuna.ts';
import { Optimizer, type Trial } from './optimizer.ts';
import { meanOver, relativeTo, type Objectives, type Outcome } from './outcome.ts';
import { armOfPoint, DEFAULT_POINTS, UNPACED, type Point } from './space.ts';
import type { SearchRequest } from './settings.ts';
import { splitByRank } from './split.ts';

/** A point that was tried on both halves. */
export interface Confirmed {
  readonly arm: TunedArm;
  readonly point: Point;
  readonly training: Objectives;
  readonly heldOut: Objectives;
  /** On the held-out half, against the default. */
  readonly judged: Judged;
}

export interface Found {
  readonly trials: readonly Trial[];
  readonly front: readonly Trial[];
  /** The defaults, then the chosen points of the front. */
  readonly confirmed: readonly Confirmed[];
}

export interface Searching extends SearchRequest {
  readonly traces: readonly TracedLink[];
  readonly film: string;
  readonly program: OptunaProgram;
  readonly outDir: string;
  readonly print: OnProgress;
  readonly signal: AbortSignal;
}

/** The default is the first point that is tried. */
const DEFAULT_TRIAL = 0;

/** The file of SQLite in the results' folder. */
export const DATABASE = 'search.db';

/**
 * Tries points on the training half of the traces until there are as many as asked for, or until `signal`; then tries the
 * defaults and three points of the front on the other half.
 */
export async function search(searching: Searching): Promise<Found> {
  const { outDir, seed, program, signal } = searching;
  mkdirSync(outDir, { recursive: true });
  const [training, heldOut] = splitByRank(searching.traces);
  const optimizer = new Optimizer(program);
  try {
    const first = Object.values(DEFAULT_POINTS);
    const before = await optimizer.open({ storage: join(outDir, DATABASE), seed, first });
    await withEvaluator(searching, training, (evaluate) => tryPoints(searching, evaluate, optimizer, before));
    const trials = await optimizer.trials();
    if (trials.length === 0) return { trials, front: [], confirmed: [] };
    const front = frontOf(trials);
    const confirmed = await confirm(searching, training, heldOut, { front, trials }).catch(
      (error: unknown) => {
        // What was cut off is no failure; the trials are kept.
        if (signal.aborted) return [];
        throw error;
      },
    );
    return { trials, front, confirmed };
  } finally {
    optimizer.close();
  }
}

/** Plays an arm on all traces of the course, in their order. Throws an Error of one line when a session fails. */
type Evaluate = (arm: string | TunedArm) => Promise<Outcome[]>;

async function withEvaluator<Result>(
  { film, seconds, jobs, signal }: Searching,
  traces: readonly TracedLink[],
  work: (evaluate: Evaluate) => Promise<Result>,
): Promise<Result> {
  const pool = new ProcessPool(searchedSessions, { film, seconds, traces }, jobs);
  const abort = () => pool.abort();
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    return await work((arm) => Promise.all(traces.map((_, trace) => pool.ask({ arm, trace }))));
  } finally {
    signal.removeEventListener('abort', abort);
    pool.close();
  }
}

async function tryPoints(
  { trials: wanted, print, signal }: Searching,
  evaluate: Evaluate,
  optimizer: Optimizer,
  before: number,
): Promise<void> {
  const task = `Search of ${wanted} trials${before > 0 ? `, ${before} of them made before` : ''}`;
  const aborted = () => signal.aborted;
  try {
    const unpaced = await evaluate(UNPACED);
    for (let done = before; done < wanted && !aborted(); done++) {
      print({ task, fraction: (done - before) / (wanted - before) });
      const { trial, point } = await optimizer.ask();
      const outcomes = await evaluate(armOfPoint(point, 'tried', ''));
      const relative = relativesOf(unpaced, outcomes);
      await optimizer.tell(trial, meanOver(relative), relative);
    }
    print({ task, fraction: 1 });
  } catch (error) {
    // What was under way when it was cut off is no failure; what is finished is kept.
    if (!aborted()) throw error;
  }
}

const relativesOf = (unpaced: readonly Outcome[], outcomes: readonly Outcome[]) =>
  outcomes.flatMap((outcome, index) => {
    const before = unpaced[index];
    return before ? [relativeTo(before, outcome)] : [];
  });

async function confirm(
  searching: Searching,
  training: readonly TracedLink[],
  heldOut: readonly TracedLink[],
  { front, trials }: Pick<Found, 'front' | 'trials'>,
): Promise<Confirmed[]> {
  const chosen = chooseThree(front, trials.find(({ trial }) => trial === DEFAULT_TRIAL)?.objectives);
  const points = [
    ...Object.entries(DEFAULT_POINTS).map(([name, point]) => ({
      point,
      arm: armOfPoint(point, `search-${name}`, `the plug-in's defaults (${name})`),
    })),
    ...CHOICES.flatMap((choice) => {
      const trial = chosen[choice];
      if (!trial) return [];
      const about = `found by the search, trial ${trial.trial}: ${ABOUT_CHOICE[choice]}`;
      return [{ point: trial.point, arm: armOfPoint(trial.point, `search-${choice}`, about) }];
    }),
  ];
  const on = (traces: readonly TracedLink[], what: string) =>
    withEvaluator(searching, traces, async (evaluate) => {
      const unpaced = await evaluate(UNPACED);
      const outcomes: Outcome[][] = [];
      for (const { arm } of points) {
        searching.print({ task: `Search: ${arm.name} on ${what}` });
        outcomes.push(await evaluate(arm));
      }
      return { unpaced, outcomes };
    });
  const [own, other] = [await on(training, 'the training half'), await on(heldOut, 'the held-out half')];
  const [byDefault = []] = other.outcomes;
  return points.map(({ arm, point }, index) => ({
    arm,
    point,
    training: meanOver(relativesOf(own.unpaced, own.outcomes[index] ?? [])),
    heldOut: meanOver(relativesOf(other.unpaced, other.outcomes[index] ?? [])),
    judged: judge(byDefault, other.outcomes[index] ?? [], searching.seed),
  }));
}

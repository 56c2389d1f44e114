import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDefaultContent } from '../../../media/sources/footage.ts';
import { ProcessPool } from '../../../system/processes/process-pool.ts';
import { ensurePython, pythonEnv } from '../../../system/python.ts';
import { asJson } from '../../../system/replace-files.ts';
import type { OptunaProgram } from '../../ground/programs/optuna.ts';
import { hasManifest } from '../../harness/runs/manifest.ts';
import type { RunContext, Runner } from '../../harness/runs/study.ts';
import type { TracedLink } from '../../network/links/trace-files/read-traces.ts';
import type { TunedArm } from '../../player/arms/tuned.ts';
import { searchedSessions } from './course.ts';
import { ABOUT_CHOICE, CHOICES, chooseThree, findFront } from './front.ts';
import { judge } from './judge.ts';
import { Optimizer, type Trial } from './optimizer.ts';
import { meanOver, relativeTo, type Outcome } from './outcome.ts';
import { RECORD, readTrials, TRIAL, type Confirmed } from './records.ts';
import { type SearchSettings } from './settings.ts';
import { makePointArm, DEFAULT_POINTS, UNPACED } from './space.ts';
import { splitByRank } from './split.ts';
import { readTraceSet } from '../sessions/traces.ts';

/** The number of the trial with the default constants, which comes first. */
const DEFAULT_TRIAL = 0;

/** The name of the SQLite file in the results folder. */
export const DATABASE = 'search.db';

/** The traces and the video that a search plays, and the program that proposes points. */
export interface Played {
  readonly traces: readonly TracedLink[];
  /** The folder of the video. */
  readonly film: string;
  readonly program: OptunaProgram;
}

type Context = Pick<RunContext, 'jobs' | 'seed' | 'outDir' | 'onClose'>;

/** Installs a search's requirements, and returns the runner of its trials. */
export async function makeSearch(
  settings: SearchSettings,
  { print, ...context }: Context & Pick<RunContext, 'print'>,
): Promise<Runner> {
  const traces = await readTraceSet(settings);
  const film = await ensureDefaultContent({ onProgress: print });
  const python = await ensurePython(print, ['search']);
  const played = { traces, film: film.directory, program: { python, env: pythonEnv() } };
  return searchWith(played, settings, context);
}

/**
 * Makes the runs of a search. Each run is a trial, which plays a point on the training half of the traces. The last run
 * plays the defaults and three points of the front on both halves.
 */
export async function searchWith(
  { traces, film, program }: Played,
  { seconds }: Pick<SearchSettings, 'seconds'>,
  { jobs, seed, outDir, onClose }: Context,
): Promise<Runner> {
  mkdirSync(outDir, { recursive: true });
  const storage = join(outDir, DATABASE);
  if (existsSync(storage) && !hasManifest(outDir))
    throw new Error(`${outDir} has a search of an older version; choose another --out`);
  const optimizer = new Optimizer(program);
  onClose(() => optimizer.close());
  await optimizer.open({ storage, seed, first: Object.values(DEFAULT_POINTS) });
  // The optimizer's trials include one that was reported, but whose run was interrupted before it was kept.
  const told = await optimizer.trials();
  const halves = splitByRank(traces).map((half) => playing({ film, seconds, traces: half }, jobs, onClose));
  const [training, heldOut] = halves as [Half, Half];

  async function tryPoint(signal: AbortSignal): Promise<Trial> {
    const unpaced = await training.unpaced(signal);
    const { trial, point } = await optimizer.ask();
    const traces = compareOutcomes(unpaced, await training.play(makePointArm(point, 'tried', ''), signal));
    const objectives = meanOver(traces);
    await optimizer.tell(trial, objectives, traces);
    return { trial, point, objectives, traces };
  }

  return {
    async run({ cell, k }, folder, signal) {
      const record =
        cell === TRIAL
          ? (told[k - 1] ?? (await tryPoint(signal)))
          : await confirm(readTrials(outDir), { training, heldOut, seed }, signal);
      writeFileSync(join(folder, RECORD), asJson(record));
      return { kind: 'finished' };
    },
  };
}

/** Plays arms on all traces of one half, in order. Throws an Error of one line when a session fails. */
interface Half {
  play(arm: string | TunedArm, signal: AbortSignal): Promise<Outcome[]>;
  /** The outcomes of the unpaced arm, which is played only once. */
  unpaced(signal: AbortSignal): Promise<Outcome[]>;
}

function playing(
  course: { readonly film: string; readonly seconds: number; readonly traces: readonly TracedLink[] },
  jobs: number,
  onClose: RunContext['onClose'],
): Half {
  const pool = new ProcessPool(searchedSessions, course, jobs);
  onClose(() => pool.close());
  let unpaced: Promise<Outcome[]> | undefined;
  const play: Half['play'] = (arm, signal) =>
    Promise.all(course.traces.map((_, trace) => pool.ask({ arm, trace }, signal)));
  return { play, unpaced: (signal) => (unpaced ??= play(UNPACED, signal)) };
}

const compareOutcomes = (unpaced: readonly Outcome[], outcomes: readonly Outcome[]) =>
  outcomes.flatMap((outcome, index) => {
    const before = unpaced[index];
    return before ? [relativeTo(before, outcome)] : [];
  });

async function confirm(
  trials: readonly Trial[],
  { training, heldOut, seed }: { readonly training: Half; readonly heldOut: Half; readonly seed: number },
  signal: AbortSignal,
): Promise<Confirmed[]> {
  const byDefault = trials.find(({ trial }) => trial === DEFAULT_TRIAL)?.objectives;
  const chosen = chooseThree(findFront(trials), byDefault);
  const points = [
    ...Object.entries(DEFAULT_POINTS).map(([name, point]) => ({
      point,
      arm: makePointArm(point, `search-${name}`, `the plug-in's defaults (${name})`),
    })),
    ...CHOICES.flatMap((choice) => {
      const trial = chosen[choice];
      if (!trial) return [];
      const about = `found by the search, trial ${trial.trial}: ${ABOUT_CHOICE[choice]}`;
      return [{ point: trial.point, arm: makePointArm(trial.point, `search-${choice}`, about) }];
    }),
  ];
  const on = async (half: Half) => {
    const unpaced = await half.unpaced(signal);
    const outcomes: Outcome[][] = [];
    for (const { arm } of points) outcomes.push(await half.play(arm, signal));
    return { unpaced, outcomes };
  };
  const [own, other] = [await on(training), await on(heldOut)];
  const [defaultOutcomes = []] = other.outcomes;
  return points.map(({ arm, point }, index) => ({
    arm,
    point,
    training: meanOver(compareOutcomes(own.unpaced, own.outcomes[index] ?? [])),
    heldOut: meanOver(compareOutcomes(other.unpaced, other.outcomes[index] ?? [])),
    judged: judge(defaultOutcomes, other.outcomes[index] ?? [], seed),
  }));
}

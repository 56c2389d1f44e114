import { join, resolve } from 'node:path';
import { ensureDefaultContent } from '../../../media/sources/footage.ts';
import { progressPrinter, type OnProgress } from '../../../system/progress.ts';
import { ensurePython, pythonEnv, runPython } from '../../../system/python.ts';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { runQuietly } from '../../../system/run-quietly.ts';
import { mahimahis } from '../experiments/traces.ts';
import { readTraces, type TracedLink } from '../../network/links/trace-files/read-traces.ts';
import { lifeCycle } from '../../harness/runs/life-cycle.ts';
import { HARNESS_OPTIONS } from '../../harness/runs/harness-options.ts';
import { OVER, PLACE_OPTIONS, placeFor, places, type Place } from '../../harness/runs/place.ts';
import { list, wholeNumber } from '../../../system/command-line/parsers.ts';
import { defineCommandLine, type ValuesOf } from '../../../system/command-line/command-line.ts';
import type { Merged } from '../../harness/runs/merge.ts';
import { readShard, shardFolder, shardOf } from '../../harness/runs/shard.ts';
import { keyOf } from './blinding.ts';
import type { Carrier } from './carrier.ts';
import { keepManifest, madeOf } from './keep-manifest.ts';
import { virtualTime } from './lanes.ts';
import { daysFolder, hasPlayed, isPlayed } from './parts.ts';
import { mergeTrials } from './merge.ts';
import { runTrial, type Trial } from './run-trial.ts';
import { keepSettings, settingsIn, type TrialSettings } from './settings.ts';
import { overTcp } from './tcp/over-tcp.ts';
import { checkTcp, ensureTcp } from './tcp/ready.ts';
import { tracesHash } from '../../network/links/trace-files/traces-hash.ts';
import { checkArms, firstDay, learnsHere, TRIAL_ARMS } from './trial-arms.ts';

const TRIAL = {
  name: 'trial',
  places: places(['model', 'virtual', 'virtual'], ['light', 'mahimahi', 'real']),
};
type Carried = keyof typeof DEFAULTS;
/** What carries the sessions of each backend, in the settings. */
const CARRIERS: Readonly<Record<string, Carried>> = { model: 'virtual-time', light: 'tcp' };
const placeOver = (over: Carried): Place | undefined =>
  TRIAL.places.find(({ backend }) => CARRIERS[backend] === over);

/** Of each carrier: what is not asked for. In real time a trial is to end within minutes. */
const DEFAULTS = {
  'virtual-time': { days: 5, sessions_per_day: 400, longest_s: 600, epochs: 6, seed: 1 },
  tcp: { days: 3, sessions_per_day: 48, longest_s: 30, epochs: 6, seed: 1 },
} as const;
/** So many at a time leave two processors about half idle: a session of 30 s takes some 4 s of one, most of it its start. */
const TCP_JOBS = 8;
/** With more, an arm is no longer what it is called. */
const MOST_EXPLORED_PCT = 50;
/** So many digits of its hash name a trial's traces. */
const DIGEST_LENGTH = 12;
/** A stream counts from 4 s on. */
const SHORTEST_S = 10;
/** A session ends on the day on which it began. */
const LONGEST_S = 43_200;

const commandLine = defineCommandLine({
  command: 'npm run lab -- trial',
  about:
    'A randomized trial, blinded, in virtual time: days of sessions, each on a place of a trace and with a watch time of its own, and an arm by lot; after each day Fugu learns from all of them. A report with time stalled, SSIM and its variation, start-up, and what learning here, and daily, is worth.',
  options: {
    arms: {
      valueName: 'A,B',
      about:
        "the lab's, and fugu-in-situ, retrained every day, and fugu-frozen, trained once (eight of them)",
      parse: list,
    },
    days: {
      valueName: 'N',
      about:
        '(5; light 3); where an arm learns here, the first day is for the others alone, and does not count',
      parse: wholeNumber(1),
    },
    'sessions-per-day': { valueName: 'N', about: '(400; light 48)', parse: wholeNumber(1) },
    seconds: {
      valueName: 'S',
      about: 'that nobody watches longer than (600; light 30)',
      parse: wholeNumber(SHORTEST_S, LONGEST_S),
    },
    seed: { valueName: 'N', about: 'of what is drawn (1)', parse: wholeNumber(0) },
    traces: { valueName: 'F', about: "a file or folder of traces (mahimahi's eight)" },
    epochs: { valueName: 'N', about: "of a day's training, at most (6)", parse: wholeNumber(1) },
    jobs: {
      valueName: 'N',
      about: 'so many at a time: processes (1); with --backend light sessions with a link of their own (8)',
      parse: wholeNumber(1),
    },
    ...PLACE_OPTIONS,
    over: OVER,
    explored: {
      valueName: 'PCT',
      about: 'so many of the segments of the arms that learn here are of a rung that is drawn, up to 50 (0)',
      parse: wholeNumber(0, MOST_EXPLORED_PCT),
    },
    out: {
      valueName: 'DIR',
      about: 'where the results go (lab-results/trial, with --backend light trial-tcp)',
    },
    resume: HARNESS_OPTIONS.resume,
    shard: {
      valueName: 'K/N',
      about:
        'only the Kth of N parts, for one of N machines, where no arm learns in the trial; merge puts them together',
      parse: readShard,
    },
  },
});
export const { help } = commandLine;
export type Values = ValuesOf<typeof commandLine.options>;

export async function main(args: readonly string[]): Promise<void> {
  const { values, command } = commandLine.parse(args);
  await trial(values, command);
}

/** A randomized trial of arms, with what Fugu learns in it from day to day. */
export async function trial(values: Values, command: string): Promise<void> {
  const askedFor = values.shard;
  const name = placeFor(TRIAL, values).backend === 'light' ? 'trial-tcp' : 'trial';
  const outDir = resolve(values.out ?? join('lab-results', shardFolder(name, askedFor)));
  const before = settingsIn(outDir);
  const asked = askedOf(values, values.resume ? before : undefined);
  if (askedFor) checkShard(asked.arms);
  if (before && !values.resume)
    throw new Error(`${outDir} has a trial already; add --resume, or choose another --out`);
  const shard = shardOf(outDir, askedFor, before && madeOf(outDir));
  const jobs = values.jobs ?? (asked.over === 'tcp' ? TCP_JOBS : 1);
  await lifeCycle(outDir, (life) => play({ asked, shard, jobs, command, outDir, ...life }), {
    hasFinished: () => hasPlayed(outDir),
  });
}

type RequestedTrial = Omit<TrialSettings, 'networks' | 'traces_digest' | 'film'>;

interface Playing extends Pick<Trial, 'jobs' | 'outDir' | 'signal' | 'shard'> {
  readonly asked: RequestedTrial;
  readonly command: string;
  readonly print: OnProgress;
}

/** Prepares what is needed, plays the trial and analyses it, also where it was cut off. */
async function play({ asked, shard, jobs, command, outDir, print, signal }: Playing) {
  if (asked.over === 'tcp') await ensureTcp(print, asked.traces === null);
  const networks = asked.traces === null ? await mahimahis() : await readTraces(asked.traces);
  const film = await ensureDefaultContent({ onProgress: print });
  const python = await ensurePython(print);
  const carrier = await carrierOf(asked, networks, print, signal);
  const settings = {
    ...asked,
    networks: networks.map(({ name }) => name),
    traces_digest: (await tracesHash(networks)).slice(0, DIGEST_LENGTH),
    film: film.title,
  };
  const key = keyOf(settings.arms, settings.seed);
  keepSettings(outDir, settings);
  replaceFiles(outDir, { 'key.json': asJson(key) });
  await keepManifest(outDir, command, settings, shard);
  const result = await runTrial({
    settings,
    key,
    course: { film: film.directory, channel: film.title, longest_s: settings.longest_s, networks },
    carrier,
    outDir,
    shard,
    jobs,
    print,
    signal,
    learn: learner(python, outDir, settings, signal),
  });
  await analyze(outDir, settings, print);
  return result;
}

/** Merges a trial's shards, and analyses what is whole. */
export async function mergeTrial(merging: Parameters<typeof mergeTrials>[0]): Promise<Merged> {
  const merged = await mergeTrials(merging);
  const print = progressPrinter();
  try {
    await ensurePython(print);
    await analyze(merging.outDir, merged.settings, print);
  } finally {
    print.end();
  }
  return merged;
}

/** What is to carry the sessions, when it is found to be in order. */
async function carrierOf(
  { over }: RequestedTrial,
  networks: readonly TracedLink[],
  print: OnProgress,
  signal: AbortSignal,
): Promise<Carrier> {
  if (over !== 'tcp') return virtualTime;
  await checkTcp(networks, print, signal);
  return overTcp({ print });
}

/** What is not said is as in the folder, or else the default. Throws an Error of one line for what cannot be. */
function askedOf(values: Values, before: TrialSettings | undefined): RequestedTrial {
  const place = placeFor(TRIAL, values, before && placeOver(before.over ?? 'virtual-time'));
  const over = CARRIERS[place.backend] ?? 'virtual-time';
  const basis = before ?? { ...DEFAULTS[over], arms: TRIAL_ARMS, traces: null };
  const arms = values.arms ?? basis.arms;
  checkArms(arms);
  const days = values.days ?? basis.days;
  if (days < firstDay(arms))
    throw new Error(
      `--days is '${days}', expected at least ${firstDay(arms)}: what the first teaches is used then`,
    );
  const longest_s = values.seconds ?? basis.longest_s;
  const explored_pct = exploredOf(values, before, arms);
  return {
    days,
    sessions_per_day: values['sessions-per-day'] ?? basis.sessions_per_day,
    longest_s,
    seed: values.seed ?? basis.seed,
    epochs: values.epochs ?? basis.epochs,
    arms,
    traces: values.traces === undefined ? basis.traces : resolve(values.traces),
    // The defaults are left out, so that trials from when there was nothing else go on.
    ...(over === 'tcp' && { over }),
    ...(explored_pct > 0 && { explored_pct }),
  };
}

function exploredOf(values: Values, before: TrialSettings | undefined, arms: readonly string[]): number {
  const explored_pct = values.explored ?? before?.explored_pct ?? 0;
  if (explored_pct > 0 && !arms.some(learnsHere))
    throw new Error('--explored is of the arms that learn in the trial, and there is none');
  return explored_pct;
}

/** Throws an Error of one line where a part of the plan cannot be played alone. */
function checkShard(arms: readonly string[]): void {
  if (arms.some(learnsHere))
    throw new Error(
      '--shard is of arms that do not learn in the trial, which takes all sessions of a day before the next; choose others by --arms',
    );
}

/** A day's retraining by the trainer of `npm run learn`. */
export const learner =
  (
    python: string,
    outDir: string,
    { seed, epochs }: Pick<TrialSettings, 'seed' | 'epochs'>,
    signal: AbortSignal,
  ): Trial['learn'] =>
  async (file, before) => {
    const asked = { data: daysFolder(outDir), out: file, seed, epochs, ...(before && { from: before }) };
    const words = Object.entries(asked).flatMap(([name, value]) => [`--${name}`, String(value)]);
    await runQuietly(python, ['-m', 'sammy_analysis.ttp', 'ttp', '--latest', ...words], {
      env: pythonEnv(),
      signal,
    });
  };

/** Of the finished days, if any of them counts. */
async function analyze(outDir: string, { arms }: TrialSettings, print: OnProgress): Promise<void> {
  if (!isPlayed(outDir, firstDay(arms))) return;
  const status = await runPython('sammy_analysis', ['trial', outDir], { onProgress: print });
  if (status !== 0) throw new Error(`the analysis of ${outDir} ended with status ${status}`);
}

import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { ensureDefaultContent } from '../../media/sources/footage.ts';
import { progressPrinter, type OnProgress } from '../../system/progress.ts';
import { ensurePython, pythonEnv, runPython } from '../../system/python.ts';
import { asJson, replaceFiles } from '../../system/replace-files.ts';
import { runQuietly } from '../../system/run-quietly.ts';
import { mahimahis } from '../experiments/traces.ts';
import { readTraces } from '../links/trace-files/read-traces.ts';
import { CUT_OFF_STATUS, wholeNumber, type Values } from '../words.ts';
import { keyOf } from './blinding.ts';
import { dayName } from './draw-sessions.ts';
import { keepManifest } from './keep-manifest.ts';
import { daysFolder, runTrial, type Trial } from './run-trial.ts';
import { keepSettings, settingsIn, type TrialSettings } from './settings.ts';
import { checkArms, firstDay, TRIAL_ARMS } from './trial-arms.ts';

const DEFAULTS = { days: 5, sessions_per_day: 400, longest_s: 600, epochs: 6, seed: 1 } as const;
/** A stream counts from 4 s on. */
const SHORTEST_S = 10;
/** A session ends on the day on which it began. */
const LONGEST_S = 43_200;
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/** `lab trial`: a randomised trial of arms in virtual time, with what Fugu learns in it from day to day. */
export async function trial(values: Values, command: string): Promise<void> {
  const outDir = resolve(values.out ?? join('lab-results', 'trial'));
  const before = settingsIn(outDir);
  if (before && !values.resume)
    throw new Error(`${outDir} has a trial already; add --resume, or choose another --out`);
  const asked = askedOf(values, before);
  const jobs = wholeNumber(values, 'jobs', 1) ?? 1;
  const networks = asked.traces === null ? await mahimahis() : await readTraces(asked.traces);
  const print = progressPrinter();
  const ending = new AbortController();
  const end = () => ending.abort();
  for (const signal of SIGNALS) process.on(signal, end);
  try {
    const film = await ensureDefaultContent({ onProgress: print });
    const python = await ensurePython(print);
    const settings = { ...asked, networks: networks.map(({ name }) => name), film: film.title };
    const key = keyOf(settings.arms, settings.seed);
    keepSettings(outDir, settings);
    replaceFiles(outDir, { 'key.json': asJson(key) });
    await keepManifest(outDir, command, film.title);
    const result = await runTrial({
      settings,
      key,
      course: { film: film.directory, channel: film.title, longest_s: settings.longest_s, networks },
      outDir,
      jobs,
      print,
      signal: ending.signal,
      learn: learner(python, outDir, settings, ending.signal),
    });
    print.end();
    await analyze(outDir, settings, print);
    if (result === 'complete') return;
    console.error('Cut off; finished days are kept, and --resume goes on');
    process.exitCode = CUT_OFF_STATUS;
  } finally {
    print.end();
    for (const signal of SIGNALS) process.off(signal, end);
  }
}

/** What is not said is as in the folder, or else the default. Throws an Error of one line for what cannot be. */
function askedOf(
  values: Values,
  before: TrialSettings | undefined,
): Omit<TrialSettings, 'networks' | 'film'> {
  const basis = before ?? { ...DEFAULTS, arms: TRIAL_ARMS, traces: null };
  const arms = values.arms?.split(',') ?? basis.arms;
  checkArms(arms);
  const days = wholeNumber(values, 'days', 1) ?? basis.days;
  if (days < firstDay(arms))
    throw new Error(
      `--days is '${days}', expected at least ${firstDay(arms)}: what the first teaches is used then`,
    );
  const longest_s = wholeNumber(values, 'seconds', SHORTEST_S) ?? basis.longest_s;
  if (longest_s > LONGEST_S) throw new Error(`--seconds is '${longest_s}', expected at most ${LONGEST_S}`);
  return {
    days,
    sessions_per_day: wholeNumber(values, 'sessions-per-day', 1) ?? basis.sessions_per_day,
    longest_s,
    seed: wholeNumber(values, 'seed', 0) ?? basis.seed,
    epochs: wholeNumber(values, 'epochs', 1) ?? basis.epochs,
    arms,
    traces: values.traces === undefined ? basis.traces : resolve(values.traces),
  };
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
  if (!existsSync(join(daysFolder(outDir), dayName(firstDay(arms))))) return;
  const status = await runPython('sammy_analysis', ['trial', outDir], { onProgress: print });
  if (status !== 0) throw new Error(`the analysis of ${outDir} ended with status ${status}`);
}

import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ensureDefaultContent } from '../../../media/sources/footage.ts';
import { claim } from '../../../system/claim.ts';
import { ensurePython, pythonEnv } from '../../../system/python.ts';
import { asJson } from '../../../system/replace-files.ts';
import { runQuietly } from '../../../system/run-quietly.ts';
import type { PlannedRun, RunContext, Runner } from '../../harness/runs/study.ts';
import { makeKey } from './blinding.ts';
import { RECORD, type TrialSetup, type Part, type PlayPart } from './part.ts';
import { MODEL, modelPath, partName, planParts, runsFolder } from './plan.ts';
import { type TrialSettings } from './settings.ts';
import { discardSession, overTcp } from './tcp/over-tcp.ts';
import { checkTcp, ensureTcp } from './tcp/ready.ts';
import { inVirtualTime } from './virtual-time.ts';
import { readTraceSet } from '../sessions/traces.ts';

/**
 * A lock folder that exists while a process plays. Without it, a second process would take the first one's unfinished
 * parts for leftovers of a killed process.
 */
const LOCK = '.playing';

/** The requirements of a trial: its data, and the functions that play and train. */
export interface TrialParts {
  readonly course: TrialSetup;
  /** Plays a part into its folder. */
  readonly play: PlayPart;
  readonly learn: Learn;
}

/** Trains a model on all days so far and writes it into `file`. Training starts from the model `before`. */
type Learn = (file: string, before: string | null, signal: AbortSignal) => Promise<void>;

/** Installs a trial's requirements, and returns the runner of its parts. */
export async function makeTrial(settings: TrialSettings, context: RunContext): Promise<Runner> {
  const { print, jobs, onClose, outDir } = context;
  const isTcp = settings.over === 'tcp';
  if (isTcp) await ensureTcp(print, settings.traces === null);
  const networks = await readTraceSet(settings);
  const film = await ensureDefaultContent({ onProgress: print });
  const python = await ensurePython(print);
  if (isTcp) await checkTcp(networks, print);
  const course = { film: film.directory, channel: film.title, longest_s: settings.seconds, networks };
  const play = isTcp ? overTcp(course) : await inVirtualTime(course, jobs, onClose);
  return trialWith({ course, play, learn: learner(python, outDir, settings) }, settings, context);
}

/** Makes the parts and models of a trial. Throws an Error of one line if another process plays into the folder. */
export async function trialWith(
  { course, play, learn }: TrialParts,
  settings: TrialSettings,
  { outDir, onClose }: Pick<RunContext, 'outDir' | 'onClose'>,
): Promise<Runner> {
  await lock(outDir, onClose);
  const key = makeKey(settings.arms, settings.seed);
  const days = new Map<number, Part[]>();
  const findPart = ({ cell, k: day }: PlannedRun): Part => {
    const parts = days.get(day) ?? planParts({ settings, key, networks: course.networks, outDir }, day);
    days.set(day, parts);
    const part = parts.find((_, index) => partName(index + 1) === cell);
    if (!part) throw new Error(`day ${day} has no ${cell}`);
    return part;
  };
  return {
    versions: { film: course.channel },
    async run(planned, folder, signal) {
      if (planned.cell !== MODEL) return play(findPart(planned), folder, signal);
      const { k: day } = planned;
      // The model of an earlier day must not be trained now, because the training would include days on which it was
      // compared with other arms.
      if (isBegun(outDir, day + 1))
        throw new Error(
          `${modelPath(outDir, day)} is missing, though day ${day + 1} has been played with it; put it back, or choose another --out`,
        );
      const before = modelPath(outDir, day - 1);
      await learn(join(folder, 'model.bin'), existsSync(before) ? before : null, signal);
      writeFileSync(join(folder, RECORD), asJson({ day }));
      return { kind: 'finished' };
    },
    ...(settings.over === 'tcp' && { keptBusy: discardSession }),
  };
}

async function lock(outDir: string, onClose: RunContext['onClose']): Promise<void> {
  mkdirSync(outDir, { recursive: true });
  const folder = join(outDir, LOCK);
  const owner = await claim(folder);
  if (owner !== 'ours')
    throw new Error(
      `${outDir}: ${owner > 0 ? `process ${owner}` : 'another process'} plays this trial already; wait for it, or choose another --out`,
    );
  onClose(() => rmSync(folder, { recursive: true, force: true }));
}

/** Whether any part of the day exists. */
const isBegun = (outDir: string, day: number): boolean =>
  readdirSync(runsFolder(outDir)).some(
    (cell) => cell !== MODEL && existsSync(join(runsFolder(outDir), cell, String(day))),
  );

/** Makes a function that retrains the model after each day of the trial, with the trainer of `npm run learn`. */
export const learner =
  (python: string, outDir: string, { seed, epochs }: Pick<TrialSettings, 'seed' | 'epochs'>): Learn =>
  async (file, before, signal) => {
    const asked = { data: runsFolder(outDir), out: file, seed, epochs, ...(before && { from: before }) };
    const words = Object.entries(asked).flatMap(([name, value]) => [`--${name}`, String(value)]);
    await runQuietly(python, ['-m', 'sammy_analysis.ttp', 'ttp', '--latest', ...words], {
      env: pythonEnv(),
      signal,
    });
  };

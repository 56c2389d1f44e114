import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { claim } from '../../../system/claim.ts';
import type { OnProgress } from '../../../system/progress.ts';
import { inLanes } from '../../harness/runs/in-lanes.ts';
import type { PartWriter } from './carrier.ts';
import {
  finishDay,
  isMade,
  isPlayed,
  modelOf,
  ownParts,
  partsOf,
  underWayFolder,
  work_s,
  type Plan,
} from './parts.ts';
import { teaches } from './trial-arms.ts';

export interface Trial extends Plan {
  /** Lanes. */
  readonly jobs: number;
  readonly print: OnProgress;
  readonly signal: AbortSignal;
  /** Learns a model of the days that are there, from the model `before` on, into a file. */
  readonly learn: (file: string, before: string | null) => Promise<void>;
}

/** A folder that is there while a process plays: two would take each other's unfinished parts for what a killed one has left. */
const LOCK = '.playing';

/** How much of what this process plays it has played, for the time left. */
interface Progress {
  readonly all_s: number;
  done_s: number;
}

const fractionOf = ({ all_s, done_s }: Progress): number => (all_s > 0 ? done_s / all_s : 1);

/**
 * Plays the days of a trial, one after the other, and after each lets Fugu learn from all that was seen so far, whatever
 * the arm (Fugu §2.3.3). Days and models that are there already are kept. Leaves `days/day-NNN/part-NNN/` with the tables,
 * and `models/day-NNN.bin`, the model of that day's evening. Throws an Error of one line where another process plays it.
 */
export async function runTrial(trial: Trial): Promise<'complete' | 'cut off'> {
  const { outDir } = trial;
  const lock = join(outDir, LOCK);
  const owner = await claim(lock);
  if (owner !== 'ours')
    throw new Error(
      `${outDir}: ${owner > 0 ? `process ${owner}` : 'another process'} plays this trial already; wait for it, or choose another --out`,
    );
  try {
    return await runDays(trial);
  } finally {
    rmSync(lock, { recursive: true, force: true });
  }
}

async function runDays(trial: Trial): Promise<'complete' | 'cut off'> {
  const { settings, outDir, signal, carrier } = trial;
  const cutOff = () => signal.aborted;
  const days = Array.from({ length: settings.days }, (_, index) => index + 1);
  const all = days.flatMap((day) => ownParts(trial, day)).filter((part) => !isMade(part));
  const progress: Progress = { all_s: work_s(all, carrier), done_s: 0 };
  if (carrier.besides_s !== null && all.length > 0) tellEstimate(trial, all.length, progress.all_s);
  const writer = await carrier.open(trial.course, trial.jobs);
  try {
    for (const day of days) {
      if (!isPlayed(outDir, day)) await playDay(trial, writer, day, progress);
      if (cutOff()) return 'cut off';
      if (day < settings.days && teaches(settings.arms, day)) await learnFrom(trial, day, progress);
      if (cutOff()) return 'cut off';
    }
    return 'complete';
  } finally {
    writer.close();
  }
}

/** What is played in real time takes as long as it says. */
function tellEstimate({ print, jobs }: Trial, sessions: number, all_s: number): void {
  const minutes = Math.ceil(all_s / jobs / 60);
  const lanes = jobs === 1 ? 'one lane' : `${jobs} lanes`;
  print({
    task: `Trial: ${sessions} sessions to be played in ${lanes}, in about ${minutes} min, and what the learning takes`,
    lasting: true,
  });
}

/** Plays what is missing of the day here, and finishes it if that was all of it. */
async function playDay(trial: Trial, writer: PartWriter, day: number, progress: Progress): Promise<void> {
  const { outDir, print, signal, settings, carrier, jobs } = trial;
  const underWay = underWayFolder(outDir, day);
  mkdirSync(underWay, { recursive: true });
  for (const name of readdirSync(underWay))
    if (name.endsWith('.tmp')) rmSync(join(underWay, name), { recursive: true });
  const task = `Trial: day ${day} of ${settings.days}, ${settings.sessions_per_day} sessions`;
  await inLanes({
    items: ownParts(trial, day),
    isMade,
    make: (part, stop) => writer.write(part, stop),
    lanes: jobs,
    signal,
    onProgress(_, part) {
      progress.done_s += work_s(part ? [part] : [], carrier);
      print({ task, fraction: fractionOf(progress) });
    },
  });
  if (partsOf(trial, day).every(isMade)) finishDay(outDir, day);
}

async function learnFrom(trial: Trial, day: number, progress: Progress): Promise<void> {
  const { outDir, print, settings, signal, learn } = trial;
  const file = modelOf(outDir, day);
  if (existsSync(file)) return;
  // It would be learnt from the days after it too, on which others have been compared with it.
  if (isPlayed(outDir, day + 1))
    throw new Error(
      `${file} is missing, though day ${day + 1} has been played with it; put it back, or choose another --out`,
    );
  print({
    task: `Trial: day ${day} of ${settings.days}, Fugu learns from it`,
    fraction: fractionOf(progress),
  });
  mkdirSync(join(outDir, 'models'), { recursive: true });
  const before = modelOf(outDir, day - 1);
  try {
    await learn(file, existsSync(before) ? before : null);
  } catch (error) {
    // What was under way when it was cut off is no failure.
    if (!signal.aborted) throw error;
  }
}

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { OnProgress } from '../../system/progress.ts';
import { assignedCode, type Key } from './blinding.ts';
import { dayName, drawSessions, numbered } from './draw-sessions.ts';
import { openLanes, type Lane } from './lanes.ts';
import type { TrialSettings } from './settings.ts';
import { learnsHere, modelDay, teaches } from './trial-arms.ts';
import type { CodedArm, Course, Part } from './trial-player.ts';

export interface Trial {
  readonly settings: TrialSettings;
  readonly key: Key;
  readonly course: Course;
  readonly outDir: string;
  /** Processes. */
  readonly jobs: number;
  readonly print: OnProgress;
  readonly signal: AbortSignal;
  /** Learns a model of the days that are there, from the model `before` on, into a file. */
  readonly learn: (file: string, before: string | null) => Promise<void>;
}

/** A day is played in parts, of which those that are finished are kept. */
const SESSIONS_OF_A_PART = 20;

export const daysFolder = (outDir: string): string => join(outDir, 'days');
const modelOf = (outDir: string, day: number): string => join(outDir, 'models', `${dayName(day)}.bin`);

/**
 * Plays the days of a trial, one after the other, and after each lets Fugu learn from all that was seen so far, whatever
 * the arm (Fugu §2.3.3). Days and models that are there already are kept. Leaves `days/day-NNN/part-NNN/` with the tables,
 * and `models/day-NNN.bin`, the model of that day's evening.
 */
export async function runTrial(trial: Trial): Promise<'complete' | 'cut off'> {
  const { settings, outDir, signal } = trial;
  const cutOff = () => signal.aborted;
  const lanes = await openLanes(trial.course, trial.jobs);
  try {
    for (let day = 1; day <= settings.days; day++) {
      if (!existsSync(join(daysFolder(outDir), dayName(day)))) await playDay(trial, lanes, day);
      if (cutOff()) return 'cut off';
      if (day < settings.days && teaches(settings.arms, day)) await learnFrom(trial, day);
      if (cutOff()) return 'cut off';
    }
    return 'complete';
  } finally {
    for (const lane of lanes) lane.close();
  }
}

/** Moves the day to where finished days are, unless it was cut off. */
async function playDay(trial: Trial, lanes: readonly Lane[], day: number): Promise<void> {
  const { outDir, print, signal, settings } = trial;
  const underWay = join(outDir, 'under-way', dayName(day));
  mkdirSync(underWay, { recursive: true });
  for (const name of readdirSync(underWay))
    if (name.endsWith('.tmp')) rmSync(join(underWay, name), { recursive: true });
  const parts = partsOf(trial, day, underWay);
  const waiting = parts.filter(({ folder }) => !existsSync(folder));
  const task = `Trial: day ${day} of ${settings.days}, ${settings.sessions_per_day} sessions`;
  let done = parts.length - waiting.length;
  const tell = () => print({ task, fraction: (day - 1 + done / parts.length) / settings.days });
  tell();
  await Promise.all(
    lanes.map(async (lane) => {
      for (let part = waiting.shift(); part && !signal.aborted; part = waiting.shift()) {
        await lane.write(part);
        done += 1;
        tell();
      }
    }),
  );
  if (done < parts.length) return;
  mkdirSync(daysFolder(outDir), { recursive: true });
  renameSync(underWay, join(daysFolder(outDir), dayName(day)));
  rmSync(dirname(underWay), { recursive: true });
}

/** The sessions of a day, each with the code that it was assigned. */
function partsOf({ settings, key, course, outDir }: Trial, day: number, folder: string): Part[] {
  const arms = Object.entries(key).map(([code, arm], index): CodedArm => {
    const learnt = modelDay(arm, day);
    return { code, expt_id: index + 1, arm, model: learnt === null ? null : modelOf(outDir, learnt) };
  });
  // On the first day there is nothing that has been learnt in the trial.
  const present = day === 1 ? arms.filter(({ arm }) => !learnsHere(arm)) : arms;
  const codes = present.map(({ code }) => code);
  const sessions = drawSessions(settings, course.networks, day).map((session) => ({
    ...session,
    code: assignedCode(settings.seed, session.id, codes),
  }));
  return Array.from({ length: Math.ceil(sessions.length / SESSIONS_OF_A_PART) }, (_, index) => ({
    folder: join(folder, `part-${numbered(index + 1, 3)}`),
    arms: present,
    sessions: sessions.slice(index * SESSIONS_OF_A_PART, (index + 1) * SESSIONS_OF_A_PART),
  }));
}

async function learnFrom({ outDir, print, settings, signal, learn }: Trial, day: number): Promise<void> {
  const file = modelOf(outDir, day);
  if (existsSync(file)) return;
  print({
    task: `Trial: day ${day} of ${settings.days}, Fugu learns from it`,
    fraction: day / settings.days,
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

import { existsSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { ofShard, type Shard } from '../../harness/runs/shard.ts';
import { assignedCode, type Key } from './blinding.ts';
import type { Carrier } from './carrier.ts';
import { dayName, drawSessions, numbered } from './draw-sessions.ts';
import type { TrialSettings } from './settings.ts';
import { learnsHere, modelDay } from './trial-arms.ts';
import type { CodedArm, Course, Part } from './trial-player.ts';

/** What a trial's sessions follow from. */
export interface Plan {
  readonly settings: TrialSettings;
  readonly key: Key;
  readonly course: Course;
  readonly carrier: Carrier;
  readonly outDir: string;
  /** The part of each day that is played here; missing: all of it. */
  readonly shard?: Shard | undefined;
}

export const daysFolder = (outDir: string): string => join(outDir, 'days');
/** Of a day that is not finished. */
export const underWayFolder = (outDir: string, day: number): string =>
  join(outDir, 'under-way', dayName(day));
/** The model of a day's evening. */
export const modelOf = (outDir: string, day: number): string => join(outDir, 'models', `${dayName(day)}.bin`);

/** Whether the day is finished. */
export const isPlayed = (outDir: string, day: number): boolean =>
  existsSync(join(daysFolder(outDir), dayName(day)));

/** Whether anything of a trial is finished: a day, or a part of the one under way. */
export function hasPlayed(outDir: string): boolean {
  const underWay = join(outDir, 'under-way');
  const hasPart = (day: string) => readdirSync(join(underWay, day)).some((name) => name.startsWith('part-'));
  return existsSync(daysFolder(outDir)) || (existsSync(underWay) && readdirSync(underWay).some(hasPart));
}

/** The sessions of a day, each with the code that it was assigned. */
export function partsOf({ settings, key, course, carrier, outDir }: Plan, day: number): Part[] {
  const arms = Object.entries(key).map(([code, arm], index): CodedArm => {
    const learnt = modelDay(arm, day);
    const explored_pct = learnsHere(arm) ? (settings.explored_pct ?? 0) : 0;
    const model = learnt === null ? null : modelOf(outDir, learnt);
    return { code, expt_id: index + 1, arm, model, explored_pct };
  });
  // On the first day there is nothing that has been learnt in the trial.
  const present = day === 1 ? arms.filter(({ arm }) => !learnsHere(arm)) : arms;
  const codes = present.map(({ code }) => code);
  const sessions = drawSessions(settings, course.networks, day).map((session) => ({
    ...session,
    code: assignedCode(settings.seed, session.id, codes),
  }));
  const { sessionsOfAPart } = carrier;
  return Array.from({ length: Math.ceil(sessions.length / sessionsOfAPart) }, (_, index) => ({
    folder: join(underWayFolder(outDir, day), `part-${numbered(index + 1, 3)}`),
    arms: present,
    sessions: sessions.slice(index * sessionsOfAPart, (index + 1) * sessionsOfAPart),
  }));
}

export const isMade = ({ folder }: Pick<Part, 'folder'>): boolean => existsSync(folder);

/** The parts of a day that are to be played here; none of a day that is finished. */
export const ownParts = (plan: Plan, day: number): Part[] =>
  isPlayed(plan.outDir, day) ? [] : ofShard(partsOf(plan, day), plan.shard, ({ folder }) => folder);

/** Moves a day of which all parts are there to where finished days are. */
export function finishDay(outDir: string, day: number): void {
  const underWay = underWayFolder(outDir, day);
  mkdirSync(daysFolder(outDir), { recursive: true });
  renameSync(underWay, join(daysFolder(outDir), dayName(day)));
  if (readdirSync(dirname(underWay)).length === 0) rmSync(dirname(underWay), { recursive: true });
}

/** The time that sessions watch, and what each takes beside it, s. */
export const work_s = (parts: readonly Part[], { besides_s }: Carrier): number =>
  parts.flatMap(({ sessions }) => sessions).reduce((sum, { watch_s }) => sum + watch_s + (besides_s ?? 0), 0);

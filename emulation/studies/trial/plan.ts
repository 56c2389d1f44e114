import { join } from 'node:path';
import { assignedCode, type Key } from './blinding.ts';
import { drawSessions, numbered } from './draw-sessions.ts';
import type { CodedArm, Course, Part } from './part.ts';
import type { TrialSettings } from './settings.ts';
import { learnsHere, modelDay } from './trial-arms.ts';

/** The cell of the models, a run for each evening. */
export const MODEL = 'model';

/** A day is played in parts of so many sessions, of which those that are finished are kept. */
const SESSIONS_OF_A_PART = 20;
/** About what a session over TCP takes beside its watch time, s, while others are played: its processes, link and tables. */
const BESIDES_S = 4;

type Sized = Pick<TrialSettings, 'sessions_per_day' | 'over'>;
const sizeOf = ({ over }: Sized): number => (over === 'tcp' ? 1 : SESSIONS_OF_A_PART);

/** The parts of a day. */
export const partCount = (settings: Sized): number => Math.ceil(settings.sessions_per_day / sizeOf(settings));

/** The cell of a day's part, from 1. */
export const partName = (part: number): string => `part-${numbered(part, 3)}`;

/** The folder of the runs, and the model of a day's evening in it. */
export const runsFolder = (outDir: string): string => join(outDir, 'runs');
export const modelOf = (outDir: string, day: number): string =>
  join(runsFolder(outDir), MODEL, String(day), 'model.bin');

/** What a part of real time takes beyond `seconds`, on average: most sessions are shorter. */
export function overheadOf(settings: TrialSettings, networks: Course['networks']): number {
  if (settings.over !== 'tcp') return 0;
  const drawn = drawSessions(settings, networks, 1);
  const mean_s = drawn.reduce((sum, { watch_s }) => sum + watch_s, 0) / drawn.length;
  return mean_s + BESIDES_S - settings.seconds;
}

/** What a trial's sessions follow from. */
export interface Drawing {
  readonly settings: TrialSettings;
  readonly key: Key;
  readonly networks: Course['networks'];
  readonly outDir: string;
}

/** The sessions of a day in parts, each session with the code that it was assigned. */
export function partsOf({ settings, key, networks, outDir }: Drawing, day: number): Part[] {
  const arms = Object.entries(key).map(([code, arm], index): CodedArm => {
    const learnt = modelDay(arm, day);
    const explored_pct = learnsHere(arm) ? (settings.explored_pct ?? 0) : 0;
    const model = learnt === null ? null : modelOf(outDir, learnt);
    return { code, expt_id: index + 1, arm, model, explored_pct };
  });
  // On the first day there is nothing that has been learnt in the trial.
  const present = day === 1 ? arms.filter(({ arm }) => !learnsHere(arm)) : arms;
  const codes = present.map(({ code }) => code);
  const sessions = drawSessions(settings, networks, day).map((session) => ({
    ...session,
    code: assignedCode(settings.seed, session.id, codes),
  }));
  const size = sizeOf(settings);
  return Array.from({ length: partCount(settings) }, (_, index) => ({
    arms: present,
    sessions: sessions.slice(index * size, (index + 1) * size),
  }));
}

import { join } from 'node:path';
import { assignedCode, type Key } from './blinding.ts';
import { drawSessions, numbered } from './draw-sessions.ts';
import type { CodedArm, TrialSetup, Part } from './part.ts';
import type { TrialSettings } from './settings.ts';
import { learnsInTrial, modelDay } from './trial-arms.ts';

/** The cell of the models. It has a run for each evening. */
export const MODEL = 'model';

/** The number of sessions in a part of a day. Parts are the unit in which results are kept. */
const SESSIONS_OF_A_PART = 20;
/**
 * The approximate time that a session over TCP takes in addition to its watch time, s, when sessions run in parallel:
 * its processes, link and tables.
 */
const SESSION_OVERHEAD_S = 4;

type Sized = Pick<TrialSettings, 'sessions_per_day' | 'over'>;
const partSize = ({ over }: Sized): number => (over === 'tcp' ? 1 : SESSIONS_OF_A_PART);

export const partCount = (settings: Sized): number =>
  Math.ceil(settings.sessions_per_day / partSize(settings));

/** The name of the cell for part `part` of each day, counted from 1. */
export const partName = (part: number): string => `part-${numbered(part, 3)}`;

/** The folder of the runs, which also contains the model of each evening. */
export const runsFolder = (outDir: string): string => join(outDir, 'runs');
export const modelPath = (outDir: string, day: number): string =>
  join(runsFolder(outDir), MODEL, String(day), 'model.bin');

/**
 * The mean time of a part in real time minus `seconds`. It is negative, because most sessions are shorter than
 * `seconds`.
 */
export function estimateOverhead_s(settings: TrialSettings, networks: TrialSetup['networks']): number {
  if (settings.over !== 'tcp') return 0;
  const drawn = drawSessions(settings, networks, 1);
  const mean_s = drawn.reduce((sum, { watch_s }) => sum + watch_s, 0) / drawn.length;
  return mean_s + SESSION_OVERHEAD_S - settings.seconds;
}

/** Everything that determines a trial's sessions. */
export interface Drawing {
  readonly settings: TrialSettings;
  readonly key: Key;
  readonly networks: TrialSetup['networks'];
  readonly outDir: string;
}

/** Plans the sessions of a day in parts, and assigns a code to each session. */
export function planParts({ settings, key, networks, outDir }: Drawing, day: number): Part[] {
  const arms = Object.entries(key).map(([code, arm], index): CodedArm => {
    const learnt = modelDay(arm, day);
    const explored_pct = learnsInTrial(arm) ? (settings.explored_pct ?? 0) : 0;
    const model = learnt === null ? null : modelPath(outDir, learnt);
    return { code, expt_id: index + 1, arm, model, explored_pct };
  });
  // The arms that learn in the trial begin on the second day, because there is nothing to learn from before.
  const present = day === 1 ? arms.filter(({ arm }) => !learnsInTrial(arm)) : arms;
  const codes = present.map(({ code }) => code);
  const sessions = drawSessions(settings, networks, day).map((session) => ({
    ...session,
    code: assignedCode(settings.seed, session.id, codes),
  }));
  const size = partSize(settings);
  return Array.from({ length: partCount(settings) }, (_, index) => ({
    arms: present,
    sessions: sessions.slice(index * size, (index + 1) * size),
  }));
}

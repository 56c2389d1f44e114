import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { lineOf } from '../../../system/line-of.ts';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import type { Demand } from './draw-sessions.ts';
import { EMULATED, firstDay, FROZEN, RETRAINED } from './trial-arms.ts';

/** What a trial is asked for, and what must be the same where it goes on, but for the number of days. */
export interface TrialSettings extends Demand {
  readonly days: number;
  readonly arms: readonly string[];
  /** At most so many for each network of each day's model. */
  readonly epochs: number;
  /** The file or folder of traces; null for mahimahi's. */
  readonly traces: string | null;
  /** The traces by name. */
  readonly networks: readonly string[];
  /** What these carry; left out in trials of an older lab. */
  readonly traces_digest?: string;
  /** Of the film. */
  readonly film: string;
  /** What carries the sessions; left out for virtual time. */
  readonly over?: 'tcp';
  /** Of the segments of the arms that learn in the trial, those whose rung is drawn; left out for none. */
  readonly explored_pct?: number;
}

const FILE = 'settings.json';

/** What the analysis wants to know besides. */
const forAnalysis = (settings: TrialSettings) => {
  const present = (arm: string) => (settings.arms.includes(arm) ? arm : null);
  const roles = { retrained: present(RETRAINED), frozen: present(FROZEN), emulated: present(EMULATED) };
  return { first_day: firstDay(settings.arms), roles };
};

/** What a folder was asked for before; undefined if there is no trial in it. Throws an Error of one line for a broken file. */
export function settingsIn(outDir: string): TrialSettings | undefined {
  const file = join(outDir, FILE);
  if (!existsSync(file)) return undefined;
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as TrialSettings;
  } catch (error) {
    throw new Error(`${file}: ${lineOf(error)}`, { cause: error });
  }
}

/** Keeps the settings. Throws an Error of one line if the folder has another trial, or one of more days. */
export function keepSettings(outDir: string, settings: TrialSettings): void {
  const before = settingsIn(outDir);
  const all = { ...settings, ...forAnalysis(settings) };
  const { traces_digest, ...told } = all;
  const comparable = before && before.traces_digest === undefined ? told : { ...told, traces_digest };
  if (before && !isDeepStrictEqual({ ...before, days: 0 }, JSON.parse(asJson({ ...comparable, days: 0 }))))
    throw new Error(
      `${outDir} has a trial of other arms, traces, film, --backend, --sessions-per-day, --seconds, --epochs, --explored or --seed; choose another --out`,
    );
  if (before && before.days > settings.days)
    throw new Error(`${outDir} was asked for ${before.days} days; --resume can ask for more only`);
  mkdirSync(outDir, { recursive: true });
  replaceFiles(outDir, { [FILE]: asJson(all) });
}

import { resolve } from 'node:path';
import type { StudyRequest, Settings } from '../../harness/runs/study.ts';
import { type Parameter, SPACE } from './space.ts';
import { splitByRank } from './split.ts';
import { readTraceSet } from '../sessions/traces.ts';
import type { Options } from '../../../system/command-line/command-line.ts';
import { wholeNumber } from '../../../system/command-line/parsers.ts';

export const SEARCH_OPTIONS = {
  traces: { valueName: 'F', about: "a file or folder of traces (mahimahi's eight)" },
  trials: { valueName: 'N', about: 'in all (200)', parse: wholeNumber(1) },
  seconds: { valueName: 'S', about: 'of each session (120)', parse: wholeNumber(5) },
} as const satisfies Options;

/** The settings of a search; `runs` is the number of trials, and `seconds` the length of each session. */
export interface SearchSettings extends Settings {
  /** The file or folder of traces; null for the traces of mahimahi. */
  readonly traces: string | null;
  readonly names: readonly string[];
  readonly space: readonly Parameter[];
}

export const ABOUT = {
  name: 'search',
  about: 'better constants, by Optuna',
  figure: 'Sammy Figure 5',
} as const;
const TRIALS = 200;
const SECONDS = 120;

/**
 * Completes the options with the settings of a resumed folder (`before`), or with defaults. Throws an Error of one line
 * if the traces cannot be read, or if there are too few.
 */
export async function readSettings(
  asked: StudyRequest<typeof SEARCH_OPTIONS>,
  before: SearchSettings | undefined,
): Promise<SearchSettings> {
  const traces = asked.traces === undefined ? (before?.traces ?? null) : resolve(asked.traces);
  const found = await readTraceSet({ traces });
  splitByRank(found);
  return {
    ...ABOUT,
    runs: asked.trials ?? before?.runs ?? TRIALS,
    seconds: asked.seconds ?? before?.seconds ?? SECONDS,
    traces,
    names: found.map(({ name }) => name),
    space: SPACE,
  };
}

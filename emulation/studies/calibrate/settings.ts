import { VIRTUAL_CONTROLS } from '../../../buffers/packets/controls/control-named.ts';
import type { Options } from '../../../system/command-line/command-line.ts';
import { parseChoices, wholeNumber } from '../../../system/command-line/parsers.ts';
import { asFields, asList, asNumber, asText } from '../../ground/files/check.ts';
import { checkAnySettings } from '../../harness/runs/manifest.ts';
import { everyRun, type StudyRequest, type Plan, type Settings } from '../../harness/runs/study.ts';
import { hiddenPaths, type HiddenPathName } from './hidden-paths.ts';
import { readMeasuredPaths, type MeasuredPath, type MeasuredPaths } from './measured-paths.ts';

export const CALIBRATE_OPTIONS = {
  paths: {
    valueName: 'A,B',
    about: `hidden ones, of ${Object.keys(hiddenPaths).join(', ')} (all)`,
    parse: parseChoices(hiddenPaths),
  },
  from: {
    valueName: 'DIR',
    about: "instead: the paths of a folder of 'run pantheon', which may be real time's",
  },
  trials: {
    valueName: 'N',
    about: 'of each search for all parameters (100); each other search has half as many',
    parse: wholeNumber(1),
  },
  runs: { valueName: 'N', about: 'calibrations of each path, with other seeds (1)', parse: wholeNumber(1) },
  seconds: { valueName: 'S', about: 'of each flow on a hidden path (12)', parse: wholeNumber(4) },
  quick: { about: 'without leaving schemes or parameters out, and with 40 trials' },
} as const satisfies Options;

export interface CalibrationSettings extends Settings {
  readonly paths: readonly string[];
  /** The measurements of the paths that are not hidden; absent if all paths are hidden. */
  readonly measured?: Readonly<Record<string, MeasuredPath>>;
  readonly schemes: readonly string[];
  /** The length of the start-up, s, which is not measured. */
  readonly from_s: number;
  readonly trials: number;
  readonly thorough: boolean;
}

const FULL = { runs: 1, seconds: 12, trials: 100 };
const QUICK_TRIALS = 40;
/** The start-up's share of a run, as in `run pantheon`. */
const START_UP = 1 / 4;
/** The approximate duration of a calibration, s. */
const OVERHEAD_S = 600;

/** Plans one run for each path. Throws an Error of one line for impossible settings. */
export function planCalibration(
  about: Pick<Settings, 'name' | 'about' | 'figure'>,
  asked: StudyRequest<typeof CALIBRATE_OPTIONS>,
  before?: CalibrationSettings,
): Plan<CalibrationSettings> {
  const settings: CalibrationSettings = {
    ...about,
    ...choosePaths(asked, before),
    runs: asked.runs ?? before?.runs ?? FULL.runs,
    trials: asked.trials ?? before?.trials ?? (asked.quick ? QUICK_TRIALS : FULL.trials),
    thorough: before?.thorough ?? asked.quick !== true,
  };
  return {
    settings,
    runs: everyRun(settings.runs, settings.paths),
    units: 'in the names of the fields; errors are of means, in percent of the path',
    overhead_s: OVERHEAD_S,
  };
}

type Paths = Pick<CalibrationSettings, 'paths' | 'measured' | 'schemes' | 'seconds' | 'from_s'>;

function choosePaths(
  { from, paths, seconds = FULL.seconds }: StudyRequest<typeof CALIBRATE_OPTIONS>,
  before: CalibrationSettings | undefined,
): Paths {
  if (from !== undefined) {
    if (paths !== undefined)
      throw new Error('--from and --paths exclude each other: --paths chooses hidden paths');
    return measuredPaths(readMeasuredPaths(from));
  }
  if (before) return before;
  const names = Object.keys(hiddenPaths);
  return { paths: paths ?? names, schemes: VIRTUAL_CONTROLS, seconds, from_s: START_UP * seconds };
}

function measuredPaths({ paths, ...scenario }: MeasuredPaths): Paths {
  const schemes = Object.values(paths).flatMap(({ performances }) => Object.keys(performances));
  return { ...scenario, paths: Object.keys(paths), measured: paths, schemes: [...new Set(schemes)] };
}

export const findPath = ({ measured }: CalibrationSettings, name: string): HiddenPathName | MeasuredPath =>
  measured?.[name] ?? (name as HiddenPathName);

export const aboutPath = (name: string): string =>
  Object.hasOwn(hiddenPaths, name) ? hiddenPaths[name as HiddenPathName].about : 'measured';

export function checkCalibrationSettings(value: unknown): CalibrationSettings {
  checkAnySettings(value);
  const settings = asFields(value, 'experiment');
  for (const path of asList(settings.paths, 'experiment: paths')) asText(path, 'experiment: a path');
  for (const scheme of asList(settings.schemes, 'experiment: schemes'))
    asText(scheme, 'experiment: a scheme');
  asNumber(settings.trials, 'experiment: trials');
  return value as CalibrationSettings;
}

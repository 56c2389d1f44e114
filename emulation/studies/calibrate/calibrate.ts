import { VIRTUAL_CONTROLS } from '../../../buffers/packets/controls/control-named.ts';
import type { Options } from '../../../system/command-line/command-line.ts';
import { someOf, wholeNumber } from '../../../system/command-line/parsers.ts';
import { ensurePython, pythonEnv } from '../../../system/python.ts';
import { asFields, asList, asNumber, asText } from '../../ground/files/check.ts';
import { inProcess } from '../../harness/runs/in-process.ts';
import { checkAnySettings } from '../../harness/runs/manifest.ts';
import { places } from '../../harness/runs/place.ts';
import type { Settings, Study } from '../../harness/runs/study.ts';
import { installMahimahi } from '../../host/setup/mahimahi.ts';
import { hiddenPaths, type HiddenPathName } from './hidden-paths.ts';
import { calibrationRun } from './run-spec.ts';

const ABOUT = {
  name: 'calibrate',
  about: 'emulators of five parameters, fitted to hidden paths by the throughput and delay of schemes',
  figure: 'Pantheon, Figure 3.3, Tables 3.2 and 3.3',
};

const CALIBRATE_OPTIONS = {
  paths: {
    valueName: 'A,B',
    about: `of ${Object.keys(hiddenPaths).join(', ')} (all)`,
    parse: someOf(hiddenPaths),
  },
  trials: {
    valueName: 'N',
    about: 'of each search for all parameters (100); each other search has half as many',
    parse: wholeNumber(1),
  },
  runs: { valueName: 'N', about: 'calibrations of each path, with other seeds (1)', parse: wholeNumber(1) },
  seconds: { valueName: 'S', about: 'of each flow (12)', parse: wholeNumber(4) },
  quick: { about: 'without leaving schemes or parameters out, and with 40 trials' },
} as const satisfies Options;

export interface CalibrationSettings extends Settings {
  readonly paths: readonly HiddenPathName[];
  readonly schemes: readonly string[];
  readonly trials: number;
  readonly thorough: boolean;
}

const FULL = { runs: 1, seconds: 12, trials: 100 };
const QUICK_TRIALS = 40;
/** The runs of each scheme by which a path or an emulator is judged. */
const REPEATS = 5;
/** A quarter of a run is start-up, as in `run pantheon`. */
const START_UP = 1 / 4;
/** A calibration takes so long at most, s. */
const PATIENCE_S = 3 * 3600;
/** About what one takes, s. */
const OVERHEAD_S = 600;

/** `npm run lab -- run calibrate`: in virtual time, on the packet model. */
export const calibrate: Study<typeof CALIBRATE_OPTIONS, CalibrationSettings> = {
  ...ABOUT,
  options: CALIBRATE_OPTIONS,
  places: places(['model', 'virtual', 'virtual']),
  record: 'result.json',
  plan(asked, before) {
    const names = Object.keys(hiddenPaths) as HiddenPathName[];
    const settings: CalibrationSettings = {
      ...ABOUT,
      runs: asked.runs ?? before?.runs ?? FULL.runs,
      seconds: asked.seconds ?? before?.seconds ?? FULL.seconds,
      paths: asked.paths ?? before?.paths ?? names,
      schemes: before?.schemes ?? VIRTUAL_CONTROLS,
      trials: asked.trials ?? before?.trials ?? (asked.quick ? QUICK_TRIALS : FULL.trials),
      thorough: before?.thorough ?? asked.quick !== true,
    };
    return {
      settings,
      runs: Array.from({ length: settings.runs }, (_, index) => index + 1).flatMap((k) =>
        settings.paths.map((cell) => ({ cell, k, group: `${cell}/${k}` })),
      ),
      units: 'in the names of the fields; errors are of means, in percent of the path',
      overhead_s: OVERHEAD_S,
    };
  },
  async make(settings, { print, seed }) {
    const python = await ensurePython(print, ['search']);
    if (settings.paths.includes('lte')) await installMahimahi(print, { traces: true });
    const { schemes, seconds, trials, thorough } = settings;
    return {
      run: ({ cell, k }, folder, signal) =>
        inProcess(
          calibrationRun,
          {
            path: cell as HiddenPathName,
            scenario: { schemes, seconds, from_s: START_UP * seconds },
            ...{ repeats: REPEATS, trials, thorough, folder, seed: seed + k - 1 },
            program: { python, env: pythonEnv() },
          },
          { within_s: PATIENCE_S, signal },
        ),
    };
  },
  report: async (outDir) => (await import('./write-report.ts')).writeCalibrationReport(outDir),
};

export function checkCalibrationSettings(value: unknown): CalibrationSettings {
  checkAnySettings(value);
  const settings = asFields(value, 'experiment');
  for (const path of asList(settings.paths, 'experiment: paths')) asText(path, 'experiment: a path');
  for (const scheme of asList(settings.schemes, 'experiment: schemes'))
    asText(scheme, 'experiment: a scheme');
  asNumber(settings.trials, 'experiment: trials');
  return value as CalibrationSettings;
}

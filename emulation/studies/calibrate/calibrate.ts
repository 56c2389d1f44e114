import { ensurePython, pythonEnv } from '../../../system/python.ts';
import { inProcess } from '../../harness/runs/in-process.ts';
import { places } from '../../harness/runs/place.ts';
import type { Study } from '../../harness/runs/study.ts';
import { installTraces } from '../../host/setup/mahimahi.ts';
import { calibrationRun } from './run-spec.ts';
import { CALIBRATE_OPTIONS, findPath, planCalibration, type CalibrationSettings } from './settings.ts';

const ABOUT = {
  name: 'calibrate',
  about: 'emulators of five parameters, fitted to paths by the throughput and delay of schemes',
  figure: 'Pantheon, Figure 3.3, Tables 3.2 and 3.3',
};

/** The number of runs of each scheme by which a path or an emulator is judged. */
const REPEATS = 5;
/** The time limit of a calibration, s. */
const PATIENCE_S = 3 * 3600;

/** `npm run lab -- run calibrate`, which runs the packet model in virtual time. */
export const calibrate: Study<typeof CALIBRATE_OPTIONS, CalibrationSettings> = {
  ...ABOUT,
  options: CALIBRATE_OPTIONS,
  places: places(['model', 'virtual', 'virtual']),
  record: 'result.json',
  plan: (asked, before) => planCalibration(ABOUT, asked, before),
  async make(settings, { print, seed }) {
    const python = await ensurePython(print, ['search']);
    if (settings.measured === undefined && settings.paths.includes('lte'))
      await installTraces(print, 'choose other --paths than lte');
    const { schemes, seconds, from_s, trials, thorough } = settings;
    return {
      run: ({ cell, k }, folder, signal) => {
        const path = findPath(settings, cell);
        const own = typeof path === 'string' ? schemes : Object.keys(path.performances);
        const spec = {
          ...{ name: cell, path, scenario: { schemes: own, seconds, from_s } },
          ...{ repeats: REPEATS, trials, thorough, folder, seed: seed + k - 1 },
          program: { python, env: pythonEnv() },
        };
        return inProcess(calibrationRun, spec, { within_s: PATIENCE_S, signal });
      },
    };
  },
  loadReport: () => import('./write-report.ts'),
  report: async (outDir) => (await import('./write-report.ts')).writeCalibrationReport(outDir),
};

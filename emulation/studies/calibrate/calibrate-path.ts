import { join } from 'node:path';
import { Optuna, type OptunaProgram } from '../../ground/programs/optuna.ts';
import type { Emulator, Parameter } from './emulator.ts';
import { ALL_PARAMETERS, emulated, fit, type Fit } from './fit.ts';
import { measureHidden, type HiddenPathName } from './hidden-paths.ts';
import type { MeasuredPath } from './measured-paths.ts';
import { measurePath, type Scenario } from './performance.ts';
import {
  replicationError,
  schemeErrors,
  type Performance,
  type Performances,
  type SchemeError,
} from './replication-error.ts';

export interface CalibrationSpec {
  /** Of the path. */
  readonly name: string;
  /** A hidden path by its name, or what was measured of another one. */
  readonly path: HiddenPathName | MeasuredPath;
  readonly scenario: Scenario;
  /** The runs of each scheme by which a path or an emulator is judged. */
  readonly repeats: number;
  /** Of a search for all parameters; the others have half as many. */
  readonly trials: number;
  /** Also leaves one scheme out, and adds parameter after parameter. */
  readonly thorough: boolean;
  readonly seed: number;
  readonly program: OptunaProgram;
  readonly folder: string;
}

/** An emulator, judged by runs that the search has not seen. */
export interface Judged {
  readonly emulator: Emulator;
  /** Mean over all schemes, %. */
  readonly error_pct: number;
  readonly errors: Readonly<Record<string, SchemeError>>;
  readonly performances: Performances;
}

/** `result.json`. */
export interface Calibration {
  readonly path: string;
  readonly seconds: number;
  readonly from_s: number;
  readonly measured: Performances;
  /**
   * The error of one half of the path's runs against the other: no emulator can be better for certain. Null where there is
   * one run only.
   */
  readonly repeatability_pct: number | null;
  /** The better one of the two kinds of service, in the search. */
  readonly chosen: Judged;
  readonly constant: Judged;
  readonly poisson: Judged;
  /** Fitted without the scheme; the error is of it alone. */
  readonly leftOut: Readonly<Record<string, { readonly emulator: Emulator; readonly error_pct: number }>>;
  /** Constant service with the first parameters only (Table 3.3). */
  readonly ablation: readonly { readonly parameters: readonly string[]; readonly error_pct: number }[];
  readonly started_at: string;
}

/** The order of the paper's Table 3.3. */
const ABLATION: readonly (readonly Parameter['name'][])[] = [
  ['mbps'],
  ['mbps', 'delay_ms'],
  ['mbps', 'delay_ms', 'queue_bytes'],
];

/** Seeds of the path, of its repetition, and of what judges an emulator have nothing in common with the search's. */
const SEEDS = { path: 10_000, again: 20_000, judge: 30_000 };

/** Measures a path where it is hidden, fits emulators to it, and judges them. */
export async function calibratePath(spec: CalibrationSpec): Promise<Calibration> {
  const { name, scenario, repeats, trials, thorough, seed, program, folder } = spec;
  const started_at = new Date().toISOString();
  const seedsOf = (first: number): number[] =>
    Array.from({ length: repeats }, (_, index) => first + seed * 100 + index);
  const {
    performances: path,
    least_delay_ms,
    repeatability_pct,
  } = typeof spec.path === 'string' ? await measured(spec.path, scenario, seedsOf) : spec.path;
  const most = (field: keyof Performance): number =>
    Math.max(...Object.values(path).map((own) => own[field]));
  const bounds = {
    ...{ most_mbps: most('throughput_mbps'), least_delay_ms, most_delay_ms: most('delay_p95_ms') },
  };
  const optuna = new Optuna(program);
  try {
    const fitting = {
      ...{ optuna, scenario, path, seed, trials, bounds },
      storage: join(folder, 'search.db'),
    };
    const { schemes } = scenario;
    const whole = (service: Emulator['service']) =>
      fit(fitting, { name: service, service, parameters: ALL_PARAMETERS, schemes });
    const judge = async ({ emulator }: Fit): Promise<Judged> => {
      const performances = await emulated(emulator, scenario, seedsOf(SEEDS.judge));
      const errors = schemeErrors(path, performances);
      return { emulator, errors, performances, error_pct: replicationError(path, performances) };
    };
    const fits = { constant: await whole('constant'), poisson: await whole('poisson') };
    const better = fits.constant.error_pct <= fits.poisson.error_pct ? 'constant' : 'poisson';
    const judged = { constant: await judge(fits.constant), poisson: await judge(fits.poisson) };
    const half = { ...fitting, trials: Math.ceil(trials / 2) };
    const leftOut: Record<string, { emulator: Emulator; error_pct: number }> = {};
    const ablation: { parameters: readonly string[]; error_pct: number }[] = [];
    if (thorough) {
      for (const scheme of schemes) {
        const { emulator } = await fit(half, {
          ...{ name: `without ${scheme}`, service: better, parameters: ALL_PARAMETERS },
          schemes: schemes.filter((other) => other !== scheme),
        });
        const alone = { ...scenario, schemes: [scheme] };
        const performance = await emulated(emulator, alone, seedsOf(SEEDS.judge));
        const own = path[scheme];
        if (own) leftOut[scheme] = { emulator, error_pct: replicationError({ [scheme]: own }, performance) };
      }
      for (const parameters of ABLATION) {
        const { emulator } = await fit(half, {
          ...{ name: parameters.join(' '), service: 'constant', parameters, schemes },
        });
        ablation.push({ parameters, error_pct: (await judge({ emulator, error_pct: 0 })).error_pct });
      }
      ablation.push({ parameters: ALL_PARAMETERS, error_pct: judged.constant.error_pct });
    }
    const { seconds, from_s } = scenario;
    return {
      ...{ path: name, seconds, from_s, measured: path, repeatability_pct, started_at, leftOut, ablation },
      chosen: judged[better],
      ...judged,
    };
  } finally {
    optuna.close();
  }
}

/** Runs every scheme over a hidden path, and once more with other seeds. */
async function measured(
  name: HiddenPathName,
  scenario: Scenario,
  seedsOf: (first: number) => readonly number[],
): Promise<MeasuredPath> {
  const run = (scheme: string, seed: number) =>
    measureHidden(name, { scheme, seconds: scenario.seconds, seed });
  const { performances, least_delay_ms } = await measurePath(run, scenario, seedsOf(SEEDS.path));
  const again = await measurePath(run, scenario, seedsOf(SEEDS.again));
  return {
    ...{ performances, least_delay_ms },
    repeatability_pct: replicationError(performances, again.performances),
  };
}

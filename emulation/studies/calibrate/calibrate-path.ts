import { join } from 'node:path';
import { Optuna } from '../../ground/programs/optuna.ts';
import type { Emulator, Parameter } from './emulator.ts';
import { ALL_PARAMETERS, runEmulator, fit, type Fitting } from './fit.ts';
import { type HiddenPathName, measureHidden } from './hidden-paths.ts';
import type { MeasuredPath } from './measured-paths.ts';
import { measurePath, type Scenario } from './performance.ts';
import {
  type Performance,
  type Performances,
  replicationError,
  type SchemeError,
  schemeErrors,
} from './replication-error.ts';
import { writeFileSync } from 'node:fs';
import { asJson } from '../../../system/replace-files.ts';
import { serveRun } from '../../harness/runs/serve-run.ts';
import { calibrationRun, type CalibrationSpec } from './run-spec.ts';

/** An emulator and its error in runs that the search has not used. */
export interface Judged {
  readonly emulator: Emulator;
  /** The mean error over all schemes, %. */
  readonly error_pct: number;
  readonly errors: Readonly<Record<string, SchemeError>>;
  readonly performances: Performances;
}

/** The format of `result.json`. */
export interface Calibration {
  readonly path: string;
  readonly seconds: number;
  readonly from_s: number;
  readonly measureHiddenPath: Performances;
  /**
   * The error of one half of the path's runs relative to the other half. No emulator can be expected to have a lower
   * error. Null if there is only one run.
   */
  readonly repeatability_pct: number | null;
  /** The emulator with the kind of service that was better in the search. */
  readonly chosen: Judged;
  readonly constant: Judged;
  readonly poisson: Judged;
  /** For each scheme, the emulator that was fitted without it, and that emulator's error for the scheme. */
  readonly leftOut: Readonly<Record<string, { readonly emulator: Emulator; readonly error_pct: number }>>;
  /** Emulators with constant service in which only the first one, two, ... of `ABLATION`'s parameters were fitted. */
  readonly ablation: readonly { readonly parameters: readonly string[]; readonly error_pct: number }[];
  /**
   * `jittered`: the search with jitter as a sixth parameter. `longer`: the search without jitter, continued for as many
   * trials. Null for quick searches.
   */
  readonly jitter: { readonly jittered: Judged; readonly longer: Judged } | null;
  readonly started_at: string;
}

/** The parameters in the order of Pantheon's Table 3.3. */
const ABLATION: readonly (readonly Parameter['name'][])[] = [
  ['mbps'],
  ['mbps', 'delay_ms'],
  ['mbps', 'delay_ms', 'queue_bytes'],
];

/**
 * The first seeds of the path's runs, of its repetition, and of the runs that judge an emulator. The search uses none
 * of them.
 */
const SEEDS = { path: 10_000, again: 20_000, judge: 30_000 };

/** Measures a hidden path, fits emulators to the measurements, and judges the emulators. */
export async function calibratePath(spec: CalibrationSpec): Promise<Calibration> {
  const { name, scenario, repeats, trials, thorough, seed, program, folder } = spec;
  const started_at = new Date().toISOString();
  const makeSeeds = (first: number): number[] =>
    Array.from({ length: repeats }, (_, index) => first + seed * 100 + index);
  const {
    performances: path,
    least_delay_ms,
    repeatability_pct,
  } = typeof spec.path === 'string' ? await measured(spec.path, scenario, makeSeeds) : spec.path;
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
    const judge = async (emulator: Emulator): Promise<Judged> => {
      const performances = await runEmulator(emulator, scenario, makeSeeds(SEEDS.judge));
      const errors = schemeErrors(path, performances);
      return { emulator, errors, performances, error_pct: replicationError(path, performances) };
    };
    const steps = thorough ? await addParameters(fitting, judge) : [];
    const whole = (service: Emulator['service'], before?: Emulator) =>
      fit(fitting, {
        ...{ name: service, service, parameters: ALL_PARAMETERS, schemes: scenario.schemes, before },
      });
    const constant = await whole('constant', steps.at(-1)?.emulator);
    const poisson = await whole('poisson', constant.emulator);
    const better = constant.error_pct <= poisson.error_pct ? 'constant' : 'poisson';
    const judged = { constant: await judge(constant.emulator), poisson: await judge(poisson.emulator) };
    const leftOut = thorough ? await leaveOneOut(fitting, better, makeSeeds(SEEDS.judge)) : {};
    const last = { parameters: ALL_PARAMETERS, error_pct: judged.constant.error_pct };
    const ablation = thorough
      ? [...steps.map(({ parameters, error_pct }) => ({ parameters, error_pct })), last]
      : [];
    const jitter = thorough ? await addJitter(fitting, judged[better].emulator, judge) : null;
    const { seconds, from_s } = scenario;
    return {
      ...{
        path: name,
        seconds,
        from_s,
        measureHiddenPath: path,
        repeatability_pct,
        started_at,
        leftOut,
        ablation,
      },
      jitter,
      chosen: judged[better],
      ...judged,
    };
  } finally {
    optuna.close();
  }
}

/** Halves the number of trials, for searches that are not of all parameters. */
const halved = (fitting: Fitting): Fitting => ({ ...fitting, trials: Math.ceil(fitting.trials / 2) });

/**
 * Fits emulators in which only the first parameters are fitted. Each search begins with the result of the previous
 * search.
 */
async function addParameters(fitting: Fitting, judge: (emulator: Emulator) => Promise<Judged>) {
  const steps: { parameters: readonly string[]; emulator: Emulator; error_pct: number }[] = [];
  for (const parameters of ABLATION) {
    const { emulator } = await fit(halved(fitting), {
      ...{ name: parameters.join(' '), service: 'constant', parameters },
      ...{ schemes: fitting.scenario.schemes, before: steps.at(-1)?.emulator },
    });
    steps.push({ parameters, emulator, error_pct: (await judge(emulator)).error_pct });
  }
  return steps;
}

/**
 * Fits an emulator with jitter and, as its control, one in a longer search without jitter, which shows the improvement
 * by more trials alone.
 */
async function addJitter(
  fitting: Fitting,
  before: Emulator,
  judge: (emulator: Emulator) => Promise<Judged>,
): Promise<NonNullable<Calibration['jitter']>> {
  const further = async (name: string, parameters: readonly Parameter['name'][]): Promise<Judged> => {
    const { schemes } = fitting.scenario;
    const { emulator } = await fit(fitting, { name, parameters, schemes, before, service: before.service });
    return judge(emulator);
  };
  return {
    jittered: await further('jittered', [...ALL_PARAMETERS, 'jitter_ms']),
    longer: await further('longer', ALL_PARAMETERS),
  };
}

/** For each scheme, fits an emulator without it, and computes that emulator's error for the scheme. */
async function leaveOneOut(
  fitting: Fitting,
  service: Emulator['service'],
  seeds: readonly number[],
): Promise<Record<string, { readonly emulator: Emulator; readonly error_pct: number }>> {
  const { scenario, path } = fitting;
  const leftOut: Record<string, { emulator: Emulator; error_pct: number }> = {};
  for (const [scheme, own] of Object.entries(path)) {
    const { emulator } = await fit(halved(fitting), {
      ...{ name: `without ${scheme}`, service, parameters: ALL_PARAMETERS },
      schemes: scenario.schemes.filter((other) => other !== scheme),
    });
    const performance = await runEmulator(emulator, { ...scenario, schemes: [scheme] }, seeds);
    leftOut[scheme] = { emulator, error_pct: replicationError({ [scheme]: own }, performance) };
  }
  return leftOut;
}

/** Runs every scheme over a hidden path, and then again with other seeds. */
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

serveRun(calibrationRun, async (spec) => {
  writeFileSync(join(spec.folder, 'result.json'), asJson(await calibratePath(spec)));
  return { kind: 'finished' };
});

import type { Optuna } from '../../ground/programs/optuna.ts';
import { modelFlows } from '../pantheon/model.ts';
import {
  firstPoints,
  toLink,
  pointIn,
  searchSpace,
  NEUTRAL_PARAMETERS,
  type Bounds,
  type Emulator,
  type Parameter,
} from './emulator.ts';
import { measurePath, type Scenario } from './performance.ts';
import { replicationError, type Performances } from './replication-error.ts';

export interface Fit {
  readonly emulator: Emulator;
  readonly error_pct: number;
}

export interface Fitting {
  readonly optuna: Optuna;
  /** The SQLite file that stores the trials. */
  readonly storage: string;
  readonly scenario: Scenario;
  readonly path: Performances;
  readonly bounds: Bounds;
  readonly trials: number;
  readonly seed: number;
}

export interface Kind {
  /** The name of the study in the file. */
  readonly name: string;
  readonly service: Emulator['service'];
  /** The parameters of the search. All other parameters have the values in `NEUTRAL_PARAMETERS`. */
  readonly parameters: readonly Parameter['name'][];
  /** The schemes by which an emulator is judged. */
  readonly schemes: readonly string[];
  /** The emulator of an earlier search, which is tried first. */
  readonly before?: Emulator | undefined;
}

export const ALL_PARAMETERS: readonly Parameter['name'][] = ['mbps', 'delay_ms', 'queue_bytes', 'loss'];

export const runEmulator = async (
  emulator: Emulator,
  scenario: Scenario,
  seeds: readonly number[],
): Promise<Performances> => {
  const link = toLink(emulator);
  const run = (scheme: string, seed: number) =>
    modelFlows({ link, flows: [{ scheme, start_s: 0 }], seconds: scenario.seconds, seed });
  return (await measurePath(run, scenario, seeds)).performances;
};

/**
 * Searches for the emulator with the lowest replication error (Pantheon §3.5.2), by Optuna's tree-structured Parzen
 * estimator.
 */
export async function fit(
  { optuna, storage, scenario, path, bounds, trials, seed }: Fitting,
  { name, service, parameters, schemes, before }: Kind,
): Promise<Fit> {
  const space = searchSpace(bounds).filter((each) => parameters.includes(each.name));
  const suggested = firstPoints(bounds).map((point) => pointIn(space, { ...point, service }));
  const first = [...(before ? [pointIn(space, before)] : []), ...suggested];
  await optuna.open({ storage, name, seed, directions: ['minimize'], space, first });
  const judged = { ...scenario, schemes };
  const wanted = Object.fromEntries(Object.entries(path).filter(([scheme]) => schemes.includes(scheme)));
  let best: Fit | undefined;
  for (let done = 0; done < trials; done++) {
    const { trial, point } = await optuna.ask();
    const emulator = {
      mbps: bounds.most_mbps,
      ...NEUTRAL_PARAMETERS,
      ...(point as Partial<Emulator>),
      service,
    };
    const error_pct = replicationError(wanted, await runEmulator(emulator, judged, [seed]));
    await optuna.tell(trial, [error_pct]);
    if (!best || error_pct < best.error_pct) best = { emulator, error_pct };
  }
  if (!best) throw new Error('an emulator needs at least one trial');
  return best;
}

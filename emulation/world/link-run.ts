import { assign } from '../../src/experiment/assign.ts';
import type { Experiment } from '../../src/experiment/experiment.ts';
import type { SammyOptions } from '../../src/options.ts';
import { milliseconds } from '../../src/units.ts';
import { START_MS, type Arrival } from './arrivals.ts';
import type { World } from './demand.ts';
import { DESIGNS, type DesignName, type LINKS } from './designs.ts';
import type { SessionRow } from './session-row.ts';
import { CONTROL, TREATMENTS, type Treatment } from './treatments.ts';

/** One link's days, in which nothing depends on the other link. */
export interface LinkRun {
  readonly world: World;
  readonly link: (typeof LINKS)[number];
  readonly days: number;
  readonly seed: number;
  readonly treatment: Treatment;
  /** An experiment, or everybody in one arm. */
  readonly design: DesignName | 'all treated' | 'none treated';
}

/** A session as the experiment has it, before it is played. */
interface AssignedSession {
  readonly row: Omit<SessionRow, 'metrics'>;
  /** Of its plug-in. */
  readonly options: SammyOptions;
}

/** Arrival number `index` with its arm, which it keeps; undefined if it is in none. */
export function assigned(
  { link, treatment }: LinkRun,
  experiment: Experiment,
  arrival: Arrival,
  index: number,
): AssignedSession | undefined {
  const unit = `${link}-${arrival.account}`;
  const now = milliseconds(START_MS + Math.max(0, arrival.at_ms));
  const assignment = assign(unit, experiment, { cluster: link, now });
  if (!assignment) return undefined;
  const { arm, allocation, window, washout } = assignment;
  const started_at = new Date(START_MS + arrival.at_ms).toISOString();
  const when = { started_at, window, washout };
  return {
    row: { session_id: `${link}-${index}`, unit, cluster: link, arm, allocation, ...when },
    options: arm === 'treatment' ? TREATMENTS[treatment] : CONTROL,
  };
}

export function experimentOf({ design, treatment, seed }: LinkRun): Experiment {
  return {
    name: treatment,
    seed: `${seed}`,
    design:
      design === 'all treated' || design === 'none treated'
        ? { kind: 'ab', allocation: design === 'all treated' ? 1 : 0 }
        : DESIGNS[design].design,
    clusters: null,
    from: milliseconds(START_MS),
    until: milliseconds(Infinity),
    arms: { control: CONTROL, treatment: TREATMENTS[treatment] },
  };
}

import { assign } from '../../../src/experiment/assign.ts';
import type { Experiment } from '../../../src/experiment/experiment.ts';
import type { SammyOptions } from '../../../src/options.ts';
import { milliseconds } from '../../../src/units.ts';
import { DAY_MS, START_MS, type Arrival } from './arrivals.ts';
import type { World } from './demand.ts';
import { DESIGNS, type DesignName, type LINKS } from './designs.ts';
import type { SessionRow } from './session-row.ts';
import { CONTROL, TREATMENTS, type Treatment } from './treatments.ts';

/** A run of one link over several days, which does not depend on the other link. */
export interface LinkRun {
  readonly world: World;
  readonly link: (typeof LINKS)[number];
  readonly days: number;
  readonly seed: number;
  readonly treatment: Treatment;
  /**
   * The design of an experiment, or a run with everybody in one arm, or the days before an experiment, in which nobody
   * is treated.
   */
  readonly design: DesignName | 'all treated' | 'none treated' | typeof BASELINE;
  /** The share of accounts that the design `ab` treats, 0 to 1; 0.5 by default. */
  readonly allocation?: number;
}

/** The days before an experiment, in which links can be compared without treatment (Unbiased Experiments §4.1). */
export const BASELINE = 'baseline';

/** The number of the run's first day. An experiment begins with day 0; a baseline ends before it. */
export const firstDay = ({ design, days }: Pick<LinkRun, 'design' | 'days'>): number =>
  design === BASELINE ? -days : 0;

const startTime = (run: LinkRun): number => START_MS + DAY_MS * firstDay(run);

/** A session with its arm, before it is played. */
interface AssignedSession {
  readonly row: Omit<SessionRow, 'metrics'>;
  /** The plug-in's options in this session. */
  readonly options: SammyOptions;
}

/** Assigns an arm to arrival number `index`, for the whole session; undefined if the session is in no arm. */
export function assigned(
  run: LinkRun,
  experiment: Experiment,
  arrival: Arrival,
  index: number,
): AssignedSession | undefined {
  const { link, treatment, design } = run;
  const unit = `${link}-${arrival.account}`;
  const session_id = design === BASELINE ? `${link}-${BASELINE}-${index}` : `${link}-${index}`;
  const now = milliseconds(startTime(run) + Math.max(0, arrival.at_ms));
  const assignment = assign(unit, experiment, { cluster: link, now });
  if (!assignment) return undefined;
  const { arm, allocation, window, washout } = assignment;
  const started_at = new Date(startTime(run) + arrival.at_ms).toISOString();
  const when = { started_at, window, washout };
  return {
    row: { session_id, unit, cluster: link, arm, allocation, ...when },
    options: arm === 'treatment' ? TREATMENTS[treatment] : CONTROL,
  };
}

export function linkExperiment(run: LinkRun): Experiment {
  const { design, treatment, seed, allocation } = run;
  return {
    name: treatment,
    seed: `${seed}`,
    design:
      design === 'all treated' || design === 'none treated' || design === BASELINE
        ? { kind: 'ab', allocation: design === 'all treated' ? 1 : 0 }
        : design === 'ab' && allocation !== undefined
          ? { kind: 'ab', allocation }
          : DESIGNS[design].design,
    clusters: null,
    from: milliseconds(startTime(run)),
    until: milliseconds(Infinity),
    arms: { control: CONTROL, treatment: TREATMENTS[treatment] },
  };
}

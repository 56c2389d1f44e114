import type { SessionSettings } from '../experiments/session-settings.ts';
import { PAPER_LINK } from '../links/link.ts';
import type { Experiment } from '../runs/experiment.ts';
import { simulatedExperiment } from './runs/simulated-experiment.ts';
import { readTraces } from './traces/read-traces.ts';

export interface Simulation {
  /** An experiment of the lab, or else traces. */
  readonly experiment: Experiment | undefined;
  readonly traces: string | undefined;
  readonly jobs: number;
  readonly seed: number;
}

/** What `lab simulate` runs: an experiment of the lab, or the arms of `traces` on traces of one's own, paired. */
export async function simulation({
  experiment,
  traces,
  jobs,
  seed,
}: Simulation): Promise<Experiment<SessionSettings>> {
  if (experiment) {
    if (traces !== undefined)
      throw new Error(`experiment ${experiment.name} has links of its own; --traces is without it`);
    if (!('settings' in experiment))
      throw new Error(`experiment ${experiment.name} is not of sessions; only those are simulated`);
    return simulatedExperiment(experiment.settings as SessionSettings, { jobs, seed, asLab: true });
  }
  if (traces === undefined) throw new Error('simulate: which experiment, or --traces FILE|DIR?');
  return simulatedExperiment(
    {
      name: 'traces',
      about: `sessions on the traces of ${traces}, arms paired by trace`,
      figure: 'beyond the paper',
      arms: ['dashjs', 'sammy', 'sammy-smooth'],
      runs: 1,
      seconds: 120,
      link: PAPER_LINK,
      conditions: await readTraces(traces),
      paired: true,
    },
    { jobs, seed, asLab: false },
  );
}

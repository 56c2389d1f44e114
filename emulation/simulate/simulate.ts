import type { SessionSettings } from '../session/session-settings.ts';
import { onlyOn, traces, tracesOn, type TracesAsked } from '../experiments/traces.ts';
import type { Experiment } from '../runs/experiment.ts';
import { simulatedExperiment, type Simulating } from './runs/simulated-experiment.ts';

export interface Simulation extends TracesAsked {
  /** An experiment of the lab, or else traces. */
  readonly experiment: Experiment | undefined;
  readonly jobs: number;
  /** See `Simulating`. */
  readonly forks?: boolean | undefined;
}

/**
 * What `lab simulate` runs: an experiment of the lab, on links as mahimahi makes them, or the arms of `traces` on links
 * as the traces have them.
 */
export async function simulation({
  experiment,
  jobs,
  forks,
  ...asked
}: Simulation): Promise<Experiment<SessionSettings>> {
  const { seed } = asked;
  const own = asked.traces !== undefined || asked.offsets !== undefined;
  if (!experiment) {
    if (asked.traces === undefined) throw new Error('simulate: which experiment, or --traces FILE|DIR?');
    return simulatedTraces(asked, { jobs, seed, asLab: false, forks });
  }
  if (own && experiment.name === traces.name)
    return simulatedTraces(asked, { jobs, seed, asLab: true, forks });
  if (own)
    throw new Error(`experiment ${experiment.name} has links of its own; --traces is of ${traces.name}`);
  if (!('settings' in experiment))
    throw new Error(`experiment ${experiment.name} is not of sessions; only those are simulated`);
  return simulatedExperiment(experiment.settings as SessionSettings, { jobs, seed, asLab: true, forks });
}

async function simulatedTraces(
  asked: TracesAsked,
  simulating: Simulating,
): Promise<Experiment<SessionSettings>> {
  const settings = await tracesOn(asked);
  return onlyOn(settings, simulatedExperiment(settings, simulating));
}

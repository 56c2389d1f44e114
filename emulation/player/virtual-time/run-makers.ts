import { errorLine } from '../../../system/error-line.ts';
import { ProcessPool } from '../../../system/processes/process-pool.ts';
import { defineWork } from '../../../system/processes/work.ts';
import type { RunOutcome } from '../../harness/runs/study.ts';
import { RunSimulator } from './simulate-run.ts';
import type { SimulatedSpec } from './simulated-spec.ts';

export const simulatedRuns = defineWork<undefined, SimulatedSpec, RunOutcome>({
  of: 'the simulator',
  program: new URL('./worker.ts', import.meta.url),
});

export interface RunMaker {
  make(spec: SimulatedSpec): Promise<RunOutcome>;
  close(): void;
}

/**
 * Makes runs in `jobs` processes, or in this process if `jobs` is 1. A run has failed if its process ends early or its
 * player gives up. The study then repeats the run, and ends with an Error that names it.
 */
export function runMakers(jobs: number): RunMaker {
  const fail = (error: unknown): RunOutcome => ({ kind: 'failed', reason: errorLine(error) });
  if (jobs === 1) {
    const simulator = new RunSimulator();
    return { make: (spec) => simulator.make(spec).catch(fail), close: () => undefined };
  }
  const pool = new ProcessPool(simulatedRuns, undefined, jobs);
  return { make: (spec) => pool.ask(spec).catch(fail), close: () => pool.close() };
}

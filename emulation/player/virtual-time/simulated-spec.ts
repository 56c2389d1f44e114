import type { RunSpec } from '../real-time/run-spec.ts';

/** What a simulated run is told beside what the lab's are. */
export interface SimulatedSpec extends Omit<RunSpec, 'page'> {
  /** Of random loss. */
  readonly seed: number;
  /** Of the places in the film at which the experiment's runs begin. */
  readonly placeSeed: number;
  /** Its link is to be as mahimahi makes it, whose idle round trip is a little longer than asked for. */
  readonly asLab: boolean;
  /** What the paced requests would have taken without their paces is written beside the run, as `unpaced.csv`. */
  readonly forks?: boolean | undefined;
}

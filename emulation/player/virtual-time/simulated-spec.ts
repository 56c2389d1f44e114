import type { RunSpec } from '../real-time/run-spec.ts';

/** The description of a simulated run, with additions to the lab's. */
export interface SimulatedSpec extends Omit<RunSpec, 'page'> {
  /** The seed of random loss. */
  readonly seed: number;
  /** The seed of the positions in the video at which the experiment's runs begin. */
  readonly placeSeed: number;
  /** Whether the link imitates mahimahi's, whose idle round trip is slightly longer than requested. */
  readonly asLab: boolean;
  /** Whether to write the durations of paced requests without their paces, as `unpaced.csv`. */
  readonly forks?: boolean | undefined;
}

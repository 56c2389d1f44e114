import type { RunSpec } from '../real-time/run-spec.ts';

/** The description of a simulated run: the description of a real run, and a few additions. */
export interface SimulatedSpec extends Omit<RunSpec, 'page'> {
  /** The seed of random loss. */
  readonly seed: number;
  /** The seed of the positions in the video at which runs begin. */
  readonly placeSeed: number;
  /** Whether the link imitates a mahimahi link, whose idle round-trip time is slightly longer than requested. */
  readonly asLab: boolean;
  /** Whether to write `unpaced.csv`: how long each paced request would have taken without its pace. */
  readonly forks?: boolean | undefined;
}

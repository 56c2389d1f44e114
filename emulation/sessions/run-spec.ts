import type { Condition } from '../experiments/session-settings.ts';
import type { LabEdgeName } from '../edges/index.ts';
import type { Link } from '../links/link.ts';

/** One run, in plain data: what the conductor hands to the process that makes it. */
export interface RunSpec {
  readonly arm: string;
  readonly condition?: string;
  readonly k: number;
  readonly seconds: number;
  readonly link: Link;
  /** What the bottleneck is. */
  readonly switch: 'mahimahi' | 'p4';
  /** What serves the film. */
  readonly edge: LabEdgeName;
  readonly congestionControl: string;
  readonly neighbour?: string;
  readonly buffer_s?: number;
  readonly sammy: NonNullable<Condition['sammy']>;
  readonly burst_packets?: number;
  /** What the viewer's earlier sessions measured, kbit/s, the latest last. */
  readonly history?: readonly number[];
  /** Where the built page is, and the film with its title. */
  readonly page: string;
  readonly film: string;
  /** A folder to be filled. */
  readonly folder: string;
}

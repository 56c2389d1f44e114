import { defineRun } from '../../harness/runs/run-program.ts';
import type { TunedArm } from '../arms/tuned.ts';
import type { Condition } from '../records/session-settings.ts';
import type { LabEdgeName } from '../../network/edges/index.ts';
import type { Link } from '../../network/links/link.ts';
import type { ViewersName } from '../records/viewers.ts';

/** The description of one run, as plain data for the process of the run. */
export interface RunSpec {
  readonly arm: string;
  /** The arm's definition, if it is not in the lab's list. */
  readonly tuned?: TunedArm;
  readonly condition?: string;
  readonly k: number;
  readonly seconds: number;
  readonly link: Link;
  /** The bottleneck's emulator. */
  readonly switch: 'mahimahi' | 'p4';
  /** The edge that serves the session's video. */
  readonly edge: LabEdgeName;
  readonly viewers: ViewersName;
  readonly congestionControl: string;
  readonly neighbor?: string;
  readonly buffer_s?: number;
  readonly sammy: NonNullable<Condition['sammy']>;
  readonly burst_packets?: number;
  /** The throughputs that the viewer's earlier sessions measured, kbit/s; the most recent is last. */
  readonly history?: readonly number[];
  /** The folder of the built page. */
  readonly page: string;
  /** The folder of the video. */
  readonly film: string;
  /** The folder for the run's files. */
  readonly folder: string;
}

export const sessionRun = defineRun<RunSpec>(new URL('run-session.ts', import.meta.url));

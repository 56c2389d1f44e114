import { defineRun } from '../../emulation/harness/runs/run-program.ts';
import type { Traffic } from '../traffic/traffic.ts';
import type { Allocation } from './allocations/allocation-spec.ts';

/** The description of a run of flows, as plain data, for all experiments of flows. */
export interface TrafficSpec {
  readonly traffic: Traffic;
  /** The kernel's names of the traffic's congestion controls, by the lab's names. */
  readonly names: Readonly<Record<string, string>>;
  readonly kept: Kept;
  /** The folder for the run's files. */
  readonly folder: string;
}

/** The results that a run keeps: every packet and window, or the totals of each application. */
export type Kept = { readonly as: 'series' } | ({ readonly as: 'units' } & Allocation);

export const trafficRun = defineRun<TrafficSpec>(new URL('run-traffic.ts', import.meta.url));

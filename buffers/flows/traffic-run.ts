import { defineRun } from '../../emulation/harness/runs/run-program.ts';
import type { Traffic } from '../traffic/traffic.ts';
import type { Allocation } from './allocations/allocation-spec.ts';

/** A run of any of the experiments of flows, as plain data. */
export interface TrafficSpec {
  readonly traffic: Traffic;
  /** The kernel's names of its congestion controls. */
  readonly names: Readonly<Record<string, string>>;
  readonly kept: Kept;
  /** The folder for the run's files. */
  readonly folder: string;
}

/** The measurements that are kept: every packet and window, or what each application got. */
export type Kept = { readonly as: 'series' } | ({ readonly as: 'units' } & Allocation);

export const trafficRun = defineRun<TrafficSpec>(new URL('run-traffic.ts', import.meta.url));

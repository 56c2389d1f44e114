import { defineRun } from '../../runs/run-program.ts';
import type { Traffic } from '../../traffic/traffic.ts';
import type { KernelName } from '../../virtual/packets/kernel-rules.ts';
import type { Unit } from './cell.ts';

/** What to run, as plain data. */
export interface AllocationSpec {
  readonly comparison: string;
  readonly treated: number;
  readonly traffic: Traffic;
  readonly units: readonly Unit[];
  /** The folder for the run's file. */
  readonly folder: string;
}

export const allocationRun = defineRun<AllocationSpec>(new URL('process.ts', import.meta.url));

/** What to compute, as plain data. */
export interface VirtualSpec extends AllocationSpec {
  readonly kernel: KernelName;
  readonly seed: number;
}

export const virtualRun = defineRun<VirtualSpec>(new URL('virtual-process.ts', import.meta.url));

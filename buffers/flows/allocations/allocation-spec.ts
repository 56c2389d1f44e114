import { defineRun } from '../../../emulation/harness/runs/run-program.ts';
import type { Traffic } from '../../traffic/traffic.ts';
import type { KernelName } from '../../packets/kernel-rules.ts';
import type { Unit } from './cell.ts';

/** A comparison at one allocation, with its applications. */
export interface Allocation {
  readonly comparison: string;
  readonly treated: number;
  readonly units: readonly Unit[];
}

/** The description of a run, as plain data. */
export interface VirtualSpec extends Allocation {
  readonly traffic: Traffic;
  readonly kernel: KernelName;
  readonly seed: number;
  /** The folder for the run's file. */
  readonly folder: string;
}

export const virtualRun = defineRun<VirtualSpec>(new URL('virtual-process.ts', import.meta.url));

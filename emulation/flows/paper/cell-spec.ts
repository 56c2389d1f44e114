import { defineRun } from '../../runs/run-program.ts';
import type { Traffic } from '../../traffic/traffic.ts';

/** What to run, as plain data. */
export interface CellSpec {
  readonly traffic: Traffic;
  /** The kernel's names of its congestion controls. */
  readonly names: Readonly<Record<string, string>>;
  /** The folder for the run's files. */
  readonly folder: string;
}

export const cellRun = defineRun<CellSpec>(new URL('process.ts', import.meta.url));

import { defineRun } from '../runs/run-program.ts';
import type { FlowCell } from './flow-cells.ts';

/** What to run, as plain data: one flow. */
export interface FlowSpec {
  readonly cell: FlowCell;
  readonly k: number;
  readonly seconds: number;
  /** The folder for the run's files. */
  readonly folder: string;
}

export const flowRun = defineRun<FlowSpec>(new URL('process.ts', import.meta.url));

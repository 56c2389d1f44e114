import { finishedRuns } from '../../../emulation/harness/runs/finished-run.ts';
import type { AllocationResult } from './allocation-result.ts';
import { cellName, type Cell } from './cell.ts';
import { plannedCells, type AllocationSettings } from './settings.ts';

/** A finished run. */
export interface AllocationRun {
  readonly cell: Cell;
  readonly k: number;
  readonly result: AllocationResult;
}

/** Reads the finished runs, in the order of the figures and allocations. */
export const readRuns = (outDir: string, settings: Pick<AllocationSettings, 'form'>): AllocationRun[] =>
  plannedCells(settings).flatMap((cell) =>
    finishedRuns<AllocationResult>(outDir, cellName(cell)).map(({ k, result }) => ({ cell, k, result })),
  );

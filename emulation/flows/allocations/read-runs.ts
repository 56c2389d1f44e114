import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../../files/read-json.ts';
import { cellName, type Cell } from './cell.ts';
import type { AllocationResult } from './allocation-result.ts';
import { cellsOf, type AllocationSettings } from './settings.ts';

/** A finished run. */
export interface AllocationRun {
  readonly cell: Cell;
  readonly k: number;
  readonly result: AllocationResult;
}

/** Reads the finished runs, in the order of the figures and allocations. */
export const readRuns = (outDir: string, settings: Pick<AllocationSettings, 'form'>): AllocationRun[] =>
  cellsOf(settings).flatMap((cell) => {
    const folder = join(outDir, 'runs', cellName(cell));
    if (!existsSync(folder)) return [];
    return readdirSync(folder)
      .map(Number)
      .toSorted((one, other) => one - other)
      .map((k) => ({
        cell,
        k,
        result: readJson(join(folder, String(k), 'result.json'), (value) => value as AllocationResult),
      }));
  });

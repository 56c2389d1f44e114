import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../../emulation/ground/files/read-json.ts';

/** A finished run of a cell, and what it came to. */
export interface FinishedRun<Result> {
  readonly k: number;
  readonly folder: string;
  readonly result: Result;
}

/** Reads the finished runs of a cell, by their numbers. */
export function finishedRuns<Result>(outDir: string, cell: string): FinishedRun<Result>[] {
  const runs = join(outDir, 'runs', cell);
  if (!existsSync(runs)) return [];
  return readdirSync(runs)
    .map(Number)
    .sort((one, other) => one - other)
    .map((k) => {
      const folder = join(runs, String(k));
      return { k, folder, result: readJson(join(folder, 'result.json'), (value) => value as Result) };
    });
}

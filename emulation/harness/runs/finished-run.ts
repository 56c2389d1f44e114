import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { readJson } from '../../ground/files/read-json.ts';

/** Whether a results folder has a finished run. Unfinished runs are in another folder until they are complete. */
export function hasFinishedRun(outDir: string): boolean {
  const runs = join(outDir, 'runs');
  return existsSync(runs) && readdirSync(runs).some((cell) => readdirSync(join(runs, cell)).length > 0);
}

export interface FinishedRun<Result> {
  readonly k: number;
  readonly folder: string;
  readonly result: Result;
}

/** Reads the finished runs of a cell, ordered by number. */
export function finishedRuns<Result>(
  outDir: string,
  cell: string,
  record = 'result.json',
): FinishedRun<Result>[] {
  const runs = join(outDir, 'runs', cell);
  if (!existsSync(runs)) return [];
  return readdirSync(runs)
    .map(Number)
    .sort((one, other) => one - other)
    .map((k) => {
      const folder = join(runs, String(k));
      return { k, folder, result: readJson(join(folder, record), (value) => value as Result) };
    });
}

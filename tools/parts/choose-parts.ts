import type { Part } from './part.ts';
import type { PartRun } from './runs.ts';

export type Latest = ReadonlyMap<string, PartRun>;

export const latestRuns = (runs: readonly PartRun[]): Latest => new Map(runs.map((run) => [run.part, run]));

/** Whether at least one test passed and none failed. A run that skipped all its tests does not count as passed. */
export const hasPassed = (run: PartRun | undefined): run is PartRun =>
  run !== undefined && run.failed === 0 && run.passed > 0;

const MS_PER_DAY = 86_400_000;

/** Orders parts by the time of their latest run: first the parts that have never run, then the oldest runs. */
export function oldestFirst(parts: readonly Part[], latest: Latest): Part[] {
  const ended = ({ name }: Part) => Date.parse(latest.get(name)?.at ?? '1970-01-01');
  return [...parts].sort((a, b) => ended(a) - ended(b));
}

/** Returns the parts that have not passed within this many days before `now_ms`, those with the oldest runs first. */
export const notPassedSince = (
  parts: readonly Part[],
  latest: Latest,
  days: number,
  now_ms: number,
): Part[] =>
  oldestFirst(parts, latest).filter(({ name }) => {
    const run = latest.get(name);
    return !hasPassed(run) || now_ms - Date.parse(run.at) > days * MS_PER_DAY;
  });

/** Returns the parts that have not passed on the current code, with which an interrupted run continues. */
export const notPassed = (
  parts: readonly Part[],
  latest: Latest,
  isPresent: (run: PartRun) => boolean,
): Part[] =>
  parts.filter(({ name }) => {
    const run = latest.get(name);
    return !hasPassed(run) || !isPresent(run);
  });

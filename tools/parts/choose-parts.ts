import type { Part } from './part.ts';
import type { PartRun } from './runs.ts';

export type Latest = ReadonlyMap<string, PartRun>;

/** The latest run of each part. */
export const latestRuns = (runs: readonly PartRun[]): Latest => new Map(runs.map((run) => [run.part, run]));

/** Whether tests passed and none failed. A run that skipped all its tests says nothing. */
export const hasPassed = (run: PartRun | undefined): run is PartRun =>
  run !== undefined && run.failed === 0 && run.passed > 0;

const MS_PER_DAY = 86_400_000;

/** Orders parts by their latest run: those that have never run, then the oldest first. */
export function oldestFirst(parts: readonly Part[], latest: Latest): Part[] {
  const ended = ({ name }: Part) => Date.parse(latest.get(name)?.at ?? '1970-01-01');
  return [...parts].sort((a, b) => ended(a) - ended(b));
}

/** The oldest first, without those that passed within so many days before `now_ms`. */
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

/** The parts that have not passed on the present code: an interrupted run continues with these. */
export const notPassed = (
  parts: readonly Part[],
  latest: Latest,
  isPresent: (run: PartRun) => boolean,
): Part[] =>
  parts.filter(({ name }) => {
    const run = latest.get(name);
    return !hasPassed(run) || !isPresent(run);
  });

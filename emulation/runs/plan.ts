import type { Condition, Experiment } from '../experiments/experiment.ts';
import { cellName } from '../run-record.ts';

/** One run that an experiment asks for. */
export interface PlannedRun {
  readonly arm: string;
  readonly condition?: Condition;
  readonly k: number;
}

/**
 * All runs, in rounds: a round has every arm under every condition once, in random order, so that whatever the
 * machine does over the hours meets all arms alike.
 */
export function planRuns(experiment: Experiment, random: () => number): PlannedRun[] {
  const cells = cellsToRun(experiment);
  return Array.from({ length: experiment.runs }, (_, index) =>
    shuffled(cells, random).map((cell) => ({ ...cell, k: index + 1 })),
  ).flat();
}

/** Every arm under every condition that it has. */
const cellsToRun = ({ arms, conditions }: Experiment): Omit<PlannedRun, 'k'>[] =>
  conditions === undefined
    ? arms.map((arm) => ({ arm }))
    : conditions.flatMap((condition) =>
        arms.filter((arm) => condition.arms?.includes(arm) ?? true).map((arm) => ({ arm, condition })),
      );

/** `runs/<cell>/<k>`. */
export const runPath = ({ arm, condition, k }: PlannedRun): string[] => [
  'runs',
  cellName(arm, condition?.name),
  String(k),
];

/** Fisher and Yates. */
function shuffled<T>(list: readonly T[], random: () => number): T[] {
  const result = [...list];
  for (let last = result.length - 1; last > 0; last--) {
    const other = Math.floor(random() * (last + 1));
    [result[last], result[other]] = [result[other] as T, result[last] as T];
  }
  return result;
}

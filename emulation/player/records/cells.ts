import type { Condition, SessionSettings } from './session-settings.ts';
import type { RunRecord } from './run-record.ts';
import { cellName } from './run-record.ts';

/** An arm under a condition: what is averaged over its runs. */
export interface Cell {
  readonly arm: string;
  readonly condition?: Condition;
  /** Its folder, and its key in summary.json. */
  readonly name: string;
}

/** All cells of an experiment, conditions outermost, the control first. */
export function cellsOf({ arms, conditions }: SessionSettings): Cell[] {
  if (!conditions) return arms.map((arm) => ({ arm, name: cellName(arm) }));
  return conditions.flatMap((condition) =>
    arms
      .filter((arm) => condition.arms?.includes(arm) ?? true)
      .map((arm) => ({ arm, condition, name: cellName(arm, condition.name) })),
  );
}

/**
 * What a cell is compared with: the control under the same condition. Where the conditions do not touch the control
 * and it runs under one of them only, that one serves all; and where there is one arm, the conditions are what is
 * compared, each with the one that it names, or with the first. Undefined for a control itself.
 */
export function controlOf(experiment: SessionSettings, cell: Cell): Cell | undefined {
  const cells = cellsOf(experiment);
  if (experiment.arms.length === 1) {
    // Where some conditions name what they are compared with, the others are such.
    const named = cells.some(({ condition }) => condition?.against !== undefined);
    const control = named
      ? cells.find(({ condition }) => condition !== undefined && condition.name === cell.condition?.against)
      : cells[0];
    return cell.name === control?.name ? undefined : control;
  }
  if (cell.arm === experiment.arms[0]) return undefined;
  const controls = cells.filter(({ arm }) => arm === experiment.arms[0]);
  return (
    controls.find(({ condition }) => condition?.name === cell.condition?.name) ??
    (controls.length === 1 ? controls[0] : undefined)
  );
}

/** What the first words of a comparison are about: an arm, or the first condition of a single arm. */
export const controlName = (experiment: SessionSettings): string =>
  (experiment.arms.length === 1 ? cellsOf(experiment)[0]?.name : experiment.arms[0]) ?? '';

export const treatmentsOf = (experiment: SessionSettings): Cell[] =>
  cellsOf(experiment).filter((cell) => controlOf(experiment, cell) !== undefined);

export const runsOf = (records: readonly RunRecord[], cell: Cell): RunRecord[] =>
  records.filter(({ arm, condition }) => cellName(arm, condition) === cell.name);

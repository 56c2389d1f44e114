import type { Condition, SessionSettings } from './session-settings.ts';
import type { RunRecord } from './run-record.ts';
import { cellName } from './run-record.ts';

/** An arm under a condition. Results are averaged over the runs of a cell. */
export interface Cell {
  readonly arm: string;
  readonly condition?: Condition;
  /** The name of the cell's folder, and its key in summary.json. */
  readonly name: string;
}

/** All cells of an experiment, condition by condition. Within a condition, the control comes first. */
export function listCells({ arms, conditions }: SessionSettings): Cell[] {
  if (!conditions) return arms.map((arm) => ({ arm, name: cellName(arm) }));
  return conditions.flatMap((condition) =>
    arms
      .filter((arm) => condition.arms?.includes(arm) ?? true)
      .map((arm) => ({ arm, condition, name: cellName(arm, condition.name) })),
  );
}

/**
 * Finds the control of a cell; undefined if the cell is a control itself. With several arms, it is the control arm
 * under the same condition, or under the only condition with a control, if the conditions do not affect the control.
 * With a single arm, conditions are compared: each one with the condition that it names, or with the first.
 */
export function findControl(experiment: SessionSettings, cell: Cell): Cell | undefined {
  const cells = listCells(experiment);
  if (experiment.arms.length === 1) {
    // If some conditions name the condition that they are compared with, the conditions that name none are controls.
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

/** The name of the control in comparisons: the first arm or, if there is only one arm, the first condition. */
export const controlName = (experiment: SessionSettings): string =>
  (experiment.arms.length === 1 ? listCells(experiment)[0]?.name : experiment.arms[0]) ?? '';

export const listTreatments = (experiment: SessionSettings): Cell[] =>
  listCells(experiment).filter((cell) => findControl(experiment, cell) !== undefined);

export const filterRuns = (records: readonly RunRecord[], cell: Cell): RunRecord[] =>
  records.filter(({ arm, condition }) => cellName(arm, condition) === cell.name);

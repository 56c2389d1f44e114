import { lowest } from '../../player/arms/lowest.ts';
import { cellName, type RunRecord } from '../../player/records/run-record.ts';
import { groupBy } from '../../ground/statistics/grouped.ts';
import { median } from '../../ground/statistics/bootstrap.ts';

/**
 * Adds to each run the stalls that another choice of rungs could have avoided: its rebuffer ratio less the median of those
 * of the arm that always takes the lowest rung, under the same condition. Below 0 where it stalled less than that. Runs of a
 * condition without such an arm are left as they are.
 */
export function withAvoidable(records: readonly RunRecord[]): RunRecord[] {
  const byCell = groupBy(records, ({ arm, condition }) => cellName(arm, condition));
  return records.map((run) => {
    const least = ratiosOf(byCell.get(cellName(lowest.name, run.condition)) ?? []);
    const [own] = ratiosOf([run]);
    if (least.length === 0 || own === undefined) return run;
    return { ...run, metrics: { ...run.metrics, avoidable_rebuffer_ratio: own - median(least) } };
  });
}

const ratiosOf = (runs: readonly RunRecord[]): number[] =>
  runs.flatMap(({ metrics }) => metrics.rebuffer_ratio ?? []);

import { lowest } from '../../player/arms/lowest.ts';
import { cellName, type RunRecord } from '../../player/records/run-record.ts';
import { groupBy } from '../../ground/statistics/grouped.ts';
import { median } from '../../ground/statistics/bootstrap.ts';

/**
 * Adds `avoidable_rebuffer_ratio` to each run, the stalls that other choices of rungs could have avoided. It is the
 * run's rebuffer ratio minus the median ratio of the arm that always takes the lowest rung, under the same condition.
 * It is negative if the run stalled less than this median. Runs of a condition without such an arm are returned
 * unchanged.
 */
export function withAvoidable(records: readonly RunRecord[]): RunRecord[] {
  const byCell = groupBy(records, ({ arm, condition }) => cellName(arm, condition));
  return records.map((run) => {
    const least = rebufferRatios(byCell.get(cellName(lowest.name, run.condition)) ?? []);
    const [own] = rebufferRatios([run]);
    if (least.length === 0 || own === undefined) return run;
    return { ...run, metrics: { ...run.metrics, avoidable_rebuffer_ratio: own - median(least) } };
  });
}

const rebufferRatios = (runs: readonly RunRecord[]): number[] =>
  runs.flatMap(({ metrics }) => metrics.rebuffer_ratio ?? []);

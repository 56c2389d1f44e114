import type { Interval } from '../../ground/statistics/bootstrap.ts';
import { MARGINS, OTHER_MARGIN_PCT } from '../../player/records/margins.ts';
import { metricNamed, type ReportData } from './report-data.ts';
import { isPaired, type Comparison } from './summary.ts';

/** The conclusion about a treatment that the intervals allow. `VERDICT_WORDS` explains the terms. */
export type Verdict =
  | 'better'
  | 'slightly better'
  | 'not worse'
  | 'slightly worse'
  | 'worse'
  | 'changed'
  | 'no change'
  | 'cannot tell'
  | 'too few runs';

/**
 * The fewest runs of a cell for a verdict. Without a real difference, the interval of the change of medians excludes 0
 * in 11% of cases with three runs on each side, in 8% with four, and in 3 to 4% with five or more (simulated with
 * normal values, as in verdict.test.ts).
 */
export const LEAST_RUNS = 5;
/**
 * The fewest pairs for a verdict. All pairs have the same sign by chance in 2 of 32 cases for five pairs, which is more
 * than 5%, and in 2 of 64 cases for six pairs.
 */
export const LEAST_PAIRS = 6;

/** The intervals that decide a verdict. */
interface Decisive {
  /** The interval of the change, in any unit. If it excludes 0, it shows the direction. */
  readonly change: Interval;
  /** The interval of the difference, in the metric's unit. */
  readonly difference: Interval;
  /** The interval of the change in % of the control; null if the control is 0. */
  readonly pct: Interval | null;
}

/**
 * Decides the verdict by the 95% interval of the change. If the interval excludes 0, the treatment is better or worse;
 * if all of it also lies within the margin, slightly better or worse. If the interval contains 0, the treatment is not
 * worse if all of the interval lies within the margin; otherwise the verdict is undecided. If the control is 0, there
 * is no percent change, so it matters whether the intervals of the two medians touch.
 */
export function decideVerdict(data: ReportData, comparison: Comparison): Verdict {
  const decisive = decisiveIntervals(data, comparison);
  return decisive ? judge(comparison, decisive) : 'too few runs';
}

function decisiveIntervals({ summary }: ReportData, comparison: Comparison): Decisive | undefined {
  const { metric, treatment, control, ci95_pct: pct } = comparison;
  if (isPaired(comparison)) {
    const { ci95, n, means_ci95_pct } = comparison;
    return ci95 && n >= LEAST_PAIRS ? { change: ci95, difference: ci95, pct: means_ci95_pct } : undefined;
  }
  if (comparison.matched) {
    const { pairs, ci95 } = comparison.matched;
    return ci95 && pairs >= LEAST_PAIRS ? { change: pct ?? ci95, difference: ci95, pct } : undefined;
  }
  const a = summary.arms[treatment]?.[metric];
  const b = summary.arms[control]?.[metric];
  if (!a?.ci95 || !b?.ci95 || Math.min(a.n, b.n) < LEAST_RUNS) return undefined;
  const apart = [a.ci95[0] - b.ci95[1], a.ci95[1] - b.ci95[0]] as const;
  return { change: pct ?? apart, difference: apart, pct };
}

function judge({ metric }: Comparison, { change: [low, high], difference, pct }: Decisive): Verdict {
  if (low === 0 && high === 0) return 'no change';
  const { better } = metricNamed(metric);
  const containsZero = low <= 0 && high >= 0;
  if (better === 'neither') return containsZero ? 'cannot tell' : 'changed';
  const slight = isWithinMargin(metric, difference, pct);
  if (containsZero) return slight ? 'not worse' : 'cannot tell';
  const direction = high < 0 === (better === 'lower') ? 'better' : 'worse';
  return slight ? `slightly ${direction}` : direction;
}

/** Whether both ends are within the metric's margin. The margin is the metric's own, or a share of the control. */
function isWithinMargin(metric: Comparison['metric'], difference: Interval, pct: Interval | null): boolean {
  const own = MARGINS[metric];
  const [ends, margin] = own === undefined ? [pct, OTHER_MARGIN_PCT] : [difference, own];
  return ends?.every((end) => Math.abs(end) <= margin) ?? false;
}

import type { MetricName } from '../../player/records/metrics.ts';
import type { Interval } from '../../ground/statistics/bootstrap.ts';
import { metricNamed, type ReportData } from './report-data.ts';
import { MARGINS } from '../../player/records/margins.ts';
import { isPaired, type Comparison } from './summary.ts';

/** What the intervals allow to be said about a treatment. */
export type Verdict = 'better' | 'not worse' | 'worse' | 'changed' | 'unclear' | 'no change' | 'too few runs';

/**
 * Of runs that do not differ, the interval of the change of medians excludes 0 in 11% of cases with three runs on each
 * side, 8% with four, and 3 to 4% with five or more (simulated, normal; verdict.test.ts repeats it).
 */
export const LEAST_RUNS = 5;
/** Five pairs all have one sign by chance in 2 of 32 cases, six in 2 of 64. */
export const LEAST_PAIRS = 6;

/**
 * Better or worse when the 95% interval of the change lies on one side of 0; against a control of 0, where there is no
 * percent change, when the intervals of the two medians do not touch. For a metric with a margin, not worse is what is
 * worse by no more than that with its whole interval, and worse only what may be worse by more. Changed: the same for a
 * metric of which neither direction is better.
 */
export function verdictOf({ summary }: ReportData, comparison: Comparison): Verdict {
  const { metric, treatment, control } = comparison;
  if (isPaired(comparison)) {
    return comparison.ci95 && comparison.n >= LEAST_PAIRS
      ? within(metric, ofInterval(metric, comparison.ci95), comparison.ci95)
      : 'too few runs';
  }
  if (comparison.matched) {
    const { pairs, ci95 } = comparison.matched;
    return ci95 && pairs >= LEAST_PAIRS
      ? within(metric, ofInterval(metric, comparison.ci95_pct ?? ci95), ci95)
      : 'too few runs';
  }
  const a = summary.arms[treatment]?.[metric];
  const b = summary.arms[control]?.[metric];
  if (!a?.ci95 || !b?.ci95 || Math.min(a.n, b.n) < LEAST_RUNS) return 'too few runs';
  const apart = [a.ci95[0] - b.ci95[1], a.ci95[1] - b.ci95[0]] as const;
  return within(metric, ofInterval(metric, comparison.ci95_pct ?? apart), apart);
}

/** What becomes of a verdict by the metric's margin, given the interval of the difference in the metric's unit. */
function within(metric: MetricName, verdict: Verdict, [low, high]: Interval): Verdict {
  const margin = MARGINS[metric];
  if (margin === undefined || verdict === 'better' || verdict === 'no change') return verdict;
  const worst = metricNamed(metric).better === 'lower' ? high : -low;
  return worst <= margin ? 'not worse' : verdict;
}

function ofInterval(metric: MetricName, [low, high]: Interval): Verdict {
  if (low === 0 && high === 0) return 'no change';
  if (low <= 0 && high >= 0) return 'unclear';
  const { better } = metricNamed(metric);
  if (better === 'neither') return 'changed';
  return high < 0 === (better === 'lower') ? 'better' : 'worse';
}

import type { MetricName } from '../metrics.ts';
import type { Interval } from './bootstrap.ts';
import { metricNamed, type ReportData } from './report-data.ts';
import { isPaired, type Comparison } from './summary.ts';

/** What the intervals allow to be said about a treatment. */
export type Verdict = 'better' | 'worse' | 'unclear' | 'no change' | 'too few runs';

/**
 * Better or worse when the 95% interval of the change lies on one side of 0; against a control of 0, where there is no
 * percent change, when the intervals of the two medians do not touch.
 */
export function verdictOf({ summary }: ReportData, comparison: Comparison): Verdict {
  const { metric, treatment, control } = comparison;
  const interval = isPaired(comparison) ? comparison.ci95 : comparison.ci95_pct;
  if (interval) return ofInterval(metric, interval);
  const a = summary.arms[treatment]?.[metric]?.ci95;
  const b = summary.arms[control]?.[metric]?.ci95;
  return a && b ? ofInterval(metric, [a[0] - b[1], a[1] - b[0]]) : 'too few runs';
}

function ofInterval(metric: MetricName, [low, high]: Interval): Verdict {
  if (low === 0 && high === 0) return 'no change';
  if (low <= 0 && high >= 0) return 'unclear';
  return high < 0 === (metricNamed(metric).better === 'lower') ? 'better' : 'worse';
}

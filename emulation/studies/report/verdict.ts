import type { Interval } from '../../ground/statistics/bootstrap.ts';
import { MARGINS, OTHER_MARGIN_PCT } from '../../player/records/margins.ts';
import { metricNamed, type ReportData } from './report-data.ts';
import { isPaired, type Comparison } from './summary.ts';

/** The conclusion about a treatment that the intervals allow; `VERDICT_WORDS` explains the words. */
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
 * With no real difference, the interval of the change of medians excludes 0 in 11% of cases with three runs on each side, 8%
 * with four, and 3 to 4% with five or more (simulated, normal; verdict.test.ts repeats it).
 */
export const LEAST_RUNS = 5;
/** Five pairs all have one sign by chance in 2 of 32 cases, six in 2 of 64. */
export const LEAST_PAIRS = 6;

/** The intervals that decide a verdict. */
interface Decisive {
  /** The interval of the change, in any unit. The direction is known when it excludes 0. */
  readonly change: Interval;
  /** The interval of the difference, in the metric's unit. */
  readonly difference: Interval;
  /** The interval of the change in % of the control; null against a control of 0. */
  readonly pct: Interval | null;
}

/**
 * Better or worse if the 95% interval of the change excludes 0, and slightly so if all of it also lies within the margin.
 * An interval that contains 0 shows no harm only if all of it lies within the margin: not worse. Every other one cannot tell.
 * Against a control of 0, where there is no percent change, the intervals of the two medians decide: whether they touch.
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

/** Whether both ends are within the metric's margin, which is its own or a share of the control. */
function isWithinMargin(metric: Comparison['metric'], difference: Interval, pct: Interval | null): boolean {
  const own = MARGINS[metric];
  const [ends, margin] = own === undefined ? [pct, OTHER_MARGIN_PCT] : [difference, own];
  return ends?.every((end) => Math.abs(end) <= margin) ?? false;
}

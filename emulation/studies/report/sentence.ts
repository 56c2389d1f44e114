import { controlName } from '../../player/records/cells.ts';
import {
  formatDifference,
  formatInterval,
  formatPct,
  formatPctInterval,
  formatValue,
} from '../../ground/drawing/format.ts';
import { groupBy } from '../../ground/statistics/grouped.ts';
import { headlineMetrics, isInFlightMetric } from './headline.ts';
import { comparedIn, metricNamed, spokenUnit, findStatistics, type ReportData } from './report-data.ts';
import { isPaired, type Comparison } from './summary.ts';
import { LEAST_PAIRS, LEAST_RUNS, decideVerdict, type Verdict } from './verdict.ts';

/** The words for each verdict, in the order in which sentences list them. Results against the treatment come first. */
const SAID: readonly (readonly [verdict: Verdict, words: string])[] = [
  ['worse', 'worse in'],
  ['better', 'better in'],
  ['changed', 'changes'],
  ['slightly worse', 'slightly worse, within the margin, in'],
  ['slightly better', 'slightly better, within the margin, in'],
  ['not worse', 'not worse in'],
  ['cannot tell', 'cannot tell for'],
];

/**
 * The number of metrics per verdict whose values a sentence states, beginning with the headline. A sentence only names
 * further metrics, except for the verdict "worse", where it states all values.
 */
const MOST_FIGURES = 4;

/** The results of an experiment, one sentence for each treatment. Empty if nothing can be compared yet. */
export function sentences(data: ReportData): string[] {
  const { experiment } = data.manifest;
  const { names, find } = comparedIn(experiment);
  return names.flatMap((name) => {
    const found = headlineMetrics(experiment)
      .filter((metric) => !isInFlightMetric(metric))
      .flatMap((metric) => find(data, name, metric) ?? []);
    return found.length === 0
      ? []
      : [`${name} compared with ${controlName(experiment)}: ${verdictText(data, found)}.`];
  });
}

function verdictText(data: ReportData, comparisons: readonly Comparison[]): string {
  const byVerdict = groupBy(comparisons, (each) => decideVerdict(data, each));
  const of = (verdict: Verdict) => byVerdict.get(verdict) ?? [];
  const parts = SAID.flatMap(([verdict, words]) =>
    of(verdict).length > 0 ? [`${words} ${listed(data, of(verdict), verdict === 'worse')}`] : [],
  );
  if (of('no change').length > 0) parts.push(`no change in ${labels(of('no change'))}`);
  const tooFew = of('too few runs');
  if (tooFew.length > 0)
    parts.push(`no verdict from ${fewestRunsText(data, tooFew[0])} on ${listed(data, tooFew, false)}`);
  return parts.join('; ');
}

function listed(data: ReportData, comparisons: readonly Comparison[], all: boolean): string {
  const most = all ? comparisons.length : MOST_FIGURES;
  const others = comparisons.slice(most);
  return [
    ...comparisons.slice(0, most).map((each) => figure(data, each)),
    ...(others.length > 0 ? [labels(others)] : []),
  ].join(', ');
}

const labels = (comparisons: readonly Comparison[]): string =>
  comparisons.map(({ metric }) => metricNamed(metric).label).join(', ');

function fewestRunsText(data: ReportData, comparison: Comparison | undefined): string {
  if (comparison === undefined) return 'no runs';
  if (isPaired(comparison)) return `${comparison.n} pairs, fewer than ${LEAST_PAIRS},`;
  if (comparison.matched) return `${runsText(comparison.matched.pairs)}, fewer than ${LEAST_PAIRS},`;
  const { treatment, control, metric } = comparison;
  const n = Math.min(
    ...[treatment, control].map((cell) => findStatistics(data, cell, metric)?.n ?? Number.POSITIVE_INFINITY),
  );
  return `${runsText(n)}, fewer than ${LEAST_RUNS},`;
}

const runsText = (n: number): string => (n === 1 ? 'one run' : `${n} runs`);

function figure(data: ReportData, comparison: Comparison): string {
  const { metric, change_pct, ci95_pct, treatment, control } = comparison;
  const { label } = metricNamed(metric);
  const { unit, factor } = spokenUnit(metric);
  const withUnit = (text: string) => `${text} ${unit}`.trimEnd();
  if (isPaired(comparison)) {
    const { difference, ci95 } = comparison;
    const interval = ci95 ? ` (${formatInterval([factor * ci95[0], factor * ci95[1]])})` : '';
    return `${label} ${withUnit(formatDifference(factor * difference))}${interval}`;
  }
  if (change_pct === null) {
    const [before, after] = [control, treatment].map(
      (cell) => factor * (findStatistics(data, cell, metric)?.median ?? 0),
    );
    return `${label} ${withUnit(`${formatValue(before ?? 0)} → ${formatValue(after ?? 0)}`)}`;
  }
  return `${label} ${formatPct(change_pct)}${ci95_pct ? ` (${formatPctInterval(ci95_pct)})` : ''}`;
}

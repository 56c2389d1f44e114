import { controlName } from '../../player/records/cells.ts';
import { MARGINS } from '../../player/records/margins.ts';
import {
  formatDifference,
  formatInterval,
  formatPct,
  formatPctInterval,
} from '../../ground/drawing/format.ts';
import { headlineOf, isInFlightMetric } from './headline.ts';
import { comparedIn, metricNamed, statisticsOf, type ReportData } from './report-data.ts';
import { isPaired, type Comparison } from './summary.ts';
import { LEAST_PAIRS, LEAST_RUNS, verdictOf } from './verdict.ts';
import { grouped } from '../../ground/statistics/grouped.ts';

/** A change whose whole interval is nearer to 0 may be certain and yet of no consequence: better is only what lies beyond. */
export const SLIGHT_PCT = 1;

type Kind = 'better' | 'worse' | 'changed' | 'the same' | 'open' | 'too few';

/** So many figures are said of a kind, the first of the headline. */
const MOST_SAID = 4;

/** The answer of an experiment: a sentence for each treatment, as text. None where nothing can be compared yet. */
export function sentences(data: ReportData): string[] {
  const { experiment } = data.manifest;
  const { names, find } = comparedIn(experiment);
  return names.flatMap((name) => {
    const found = headlineOf(experiment)
      .filter((metric) => !isInFlightMetric(metric))
      .flatMap((metric) => find(data, name, metric) ?? []);
    return found.length === 0
      ? []
      : [`${name} compared with ${controlName(experiment)}: ${said(data, found)}.`];
  });
}

function said(data: ReportData, comparisons: readonly Comparison[]): string {
  const kinds = grouped(comparisons, (each) => kindOf(data, each));
  const of = (kind: Kind) => kinds.get(kind) ?? [];
  const withFigures = (list: readonly Comparison[]): string => {
    const more = list.length - MOST_SAID;
    const figures = list.slice(0, MOST_SAID).map(figure);
    return `${figures.join(', ')}${more > 0 ? ` and ${more} more` : ''}`;
  };
  const labels = (list: readonly Comparison[]): string =>
    list.map(({ metric }) => metricNamed(metric).label).join(', ');
  const tooFew = of('too few');
  return [
    of('worse').length > 0 && `worse in ${withFigures(of('worse'))}`,
    of('better').length > 0 && `better in ${withFigures(of('better'))}`,
    of('changed').length > 0 && `changes ${withFigures(of('changed'))}`,
    of('the same').length > 0 && `within the margin in ${labels(of('the same'))}`,
    of('open').length > 0 && `no difference shown in ${labels(of('open'))}`,
    tooFew.length > 0 && `no verdict from ${runsOf(data, tooFew[0])} on ${withFigures(tooFew)}`,
  ]
    .filter((part) => part !== false)
    .join('; ');
}

function runsOf(data: ReportData, comparison: Comparison | undefined): string {
  if (comparison === undefined) return 'no runs';
  if (isPaired(comparison)) return `${comparison.n} pairs, fewer than ${LEAST_PAIRS},`;
  if (comparison.matched) return `${runsText(comparison.matched.pairs)}, fewer than ${LEAST_PAIRS},`;
  const { treatment, control, metric } = comparison;
  const n = Math.min(
    ...[treatment, control].map((cell) => statisticsOf(data, cell, metric)?.n ?? Number.POSITIVE_INFINITY),
  );
  return `${runsText(n)}, fewer than ${LEAST_RUNS},`;
}

const runsText = (n: number): string => (n === 1 ? 'one run' : `${n} runs`);

function kindOf(data: ReportData, comparison: Comparison): Kind {
  const verdict = verdictOf(data, comparison);
  if (verdict === 'too few runs') return 'too few';
  if (verdict === 'unclear') return 'open';
  if (verdict === 'no change' || verdict === 'not worse') return 'the same';
  return isBeyondMargin(comparison) ? verdict : 'the same';
}

/** Whether the end of the interval that is nearer to 0 is beyond the margin: the metric's own, or else 1%. */
function isBeyondMargin(comparison: Comparison): boolean {
  const margin = MARGINS[comparison.metric];
  const near = ([low, high]: readonly [number, number]) => Math.min(Math.abs(low), Math.abs(high));
  if (isPaired(comparison) && margin !== undefined && comparison.ci95) return near(comparison.ci95) >= margin;
  // Against a control of 0 there is no percent, and every change is beyond.
  return comparison.ci95_pct === null || near(comparison.ci95_pct) >= SLIGHT_PCT;
}

function figure(comparison: Comparison): string {
  const { label, unit } = metricNamed(comparison.metric);
  const { change_pct, ci95_pct } = comparison;
  if (isPaired(comparison)) {
    const { difference, ci95 } = comparison;
    const interval = ci95 ? ` (${formatInterval(ci95)})` : '';
    return `${label} ${formatDifference(difference)}${unit && ` ${unit}`}${interval}`;
  }
  if (change_pct === null) return label;
  return `${label} ${formatPct(change_pct)}${ci95_pct ? ` (${formatPctInterval(ci95_pct)})` : ''}`;
}

/** Explains the words of the sentences, for whoever reads them alone. */
export const WORDS =
  'Brackets show 95% intervals. Better or worse: the whole interval lies beyond the margin, ' +
  `${MARGINS.mean_ssim_db} dB of SSIM and ${100 * MARGINS.rebuffer_ratio} points of the rebuffer ratio between pairs, ` +
  `${SLIGHT_PCT}% for other metrics. Pacing changes chunk throughput by design, so neither direction is better.`;

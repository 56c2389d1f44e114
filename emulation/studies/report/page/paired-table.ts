import { metricNamed, type ReportData } from '../report-data.ts';
import { isPaired, type Comparison, type PairedComparison } from '../summary.ts';
import { decideVerdict } from '../verdict.ts';
import {
  formatDifference,
  formatInterval,
  formatPct,
  formatPctInterval,
} from '../../../ground/drawing/format.ts';
import { html, type Markup } from '../../../ground/drawing/html.ts';
import { table } from '../../../ground/drawing/table.ts';

/**
 * Formats a paired comparison; undefined for other comparisons. The difference comes first, because it decides the
 * verdict.
 */
export function pairedText(comparison: Comparison): Markup | undefined {
  if (!isPaired(comparison)) return undefined;
  const { ci95, change_pct, skewed } = comparison;
  return html`<b>${withUnit(comparison)}</b
    ><span class="ci">${ci95 ? formatInterval(ci95) : undefined}${skewed ? ` ${SKEWED}` : undefined}</span
    ><span class="ci">${change_pct === null ? undefined : formatPct(change_pct)}</span>`;
}

const withUnit = ({ metric, difference }: PairedComparison): string =>
  `${formatDifference(difference)} ${metricNamed(metric).unit}`.trim();

/** Marks an interval that may be too narrow. */
const SKEWED = '(skewed)';

/** The note on intervals from few and skewed values; undefined if there is none. */
export function skewNote(paired: readonly PairedComparison[]): string | undefined {
  const few = Math.max(0, ...paired.filter(({ skewed }) => skewed).map(({ n }) => n));
  return few === 0
    ? undefined
    : `${SKEWED}: ${few} values or fewer that are skewed, while the interval takes them for symmetric: it may hold their mean in less than 95% of cases.`;
}

/** All metrics of a paired experiment: the changes within conditions, averaged over all conditions. */
export function pairedTable(data: ReportData): Markup | undefined {
  const paired = data.summary.comparisons.filter(isPaired);
  const [first] = paired;
  if (!first) return undefined;
  return html`<section>
    <h2>Paired over conditions</h2>
    <p class="note">
      Each condition is one pair: the median of the arm's runs and that of ${first.control}'s. Difference:
      mean over conditions, with the interval of its typical values (Hartigan 1969). Change: median over
      conditions, where no control is 0; for its interval, conditions are drawn with replacement. Change of
      means: of the mean over conditions, which counts where there is much of it. ${skewNote(paired)}
    </p>
    ${table(
      [
        ...['metric', 'arm', 'difference', '95% interval', 'change', '95% interval'],
        ...['change of means', '95% interval', 'pairs', 'verdict'],
      ],
      paired.map((comparison) => row(data, comparison)),
      { names: [1, 9] },
    )}
  </section>`;
}

function row(data: ReportData, comparison: PairedComparison) {
  const { metric, treatment, ci95, change_pct, ci95_pct, means_pct, means_ci95_pct, n, skewed } = comparison;
  return [
    metricNamed(metric).label,
    treatment,
    withUnit(comparison),
    `${ci95 ? formatInterval(ci95) : '–'}${skewed ? ` ${SKEWED}` : ''}`,
    change_pct === null ? '–' : formatPct(change_pct),
    ci95_pct ? formatPctInterval(ci95_pct) : '–',
    means_pct === null ? '–' : formatPct(means_pct),
    means_ci95_pct ? formatPctInterval(means_ci95_pct) : '–',
    n,
    decideVerdict(data, comparison),
  ];
}

import type { MetricName } from '../../../player/records/metrics.ts';
import { controlName } from '../../../player/records/cells.ts';
import { headlineMetrics, IN_FLIGHT_NOTE, isInFlightMetric } from '../headline.ts';
import { paperValue } from '../paper.ts';
import { comparedIn, metricNamed, findStatistics, type ReportData } from '../report-data.ts';
import { VERDICT_WORDS } from '../../../player/records/margins.ts';
import { isPaired, type Comparison } from '../summary.ts';
import { LEAST_PAIRS, LEAST_RUNS, decideVerdict } from '../verdict.ts';
import { formatPct, formatPctInterval, formatValue } from '../../../ground/drawing/format.ts';
import { html, type Markup } from '../../../ground/drawing/html.ts';
import { pairedText, skewNote } from './paired-table.ts';

/** One row per treatment and one column per headline metric, with the change, its interval and the verdict. */
export function verdictTable(data: ReportData): Markup | undefined {
  const { experiment } = data.manifest;
  const { names, find } = comparedIn(experiment);
  const metrics = headlineMetrics(experiment).filter((metric) =>
    names.some((name) => find(data, name, metric)),
  );
  const rows = names.filter((name) => metrics.some((metric) => find(data, name, metric)));
  if (rows.length === 0) return undefined;
  return html`<section>
    <h2>Verdict</h2>
    <p class="note">
      Change against ${controlName(experiment)},
      ${experiment.paired ? `paired over ${pairCount(data)} conditions` : 'of the medians'}, with 95%
      intervals (${methodText(data)}). ${VERDICT_WORDS} Arms with fewer than ${fewestText(data)} get no
      verdict. Expect one of twenty intervals to miss by chance.
      ${skewNote(data.summary.comparisons.filter(isPaired))}
      ${metrics.some(isInFlightMetric) ? IN_FLIGHT_NOTE : undefined}
    </p>
    <div class="scroll">
      <table class="verdicts">
        <thead>
          <tr>
            <th scope="col"></th>
            ${metrics.map((metric) => html`<th scope="col">${metricNamed(metric).label}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            (name) =>
              html`<tr>
                <th scope="row">${name}</th>
                ${metrics.map((metric) => cell(data, find(data, name, metric)))}
              </tr>`,
          )}
        </tbody>
        ${experiment.conditions && experiment.neighbor === undefined ? undefined : paperRow(metrics)}
      </table>
    </div>
  </section>`;
}

const isMatched = ({ summary }: ReportData): boolean => summary.comparisons.some(({ matched }) => matched);

function methodText(data: ReportData): string {
  if (data.manifest.experiment.paired) return 'typical values';
  return isMatched(data)
    ? 'bootstrap of pairs, since run k begins at the same position in every arm'
    : 'bootstrap';
}

function fewestText(data: ReportData): string {
  if (data.manifest.experiment.paired) return `${LEAST_PAIRS} pairs`;
  return `${isMatched(data) ? LEAST_PAIRS : LEAST_RUNS} runs`;
}

const pairCount = ({ summary }: ReportData): number =>
  Math.max(0, ...summary.comparisons.filter(isPaired).map(({ n }) => n));

function cell(data: ReportData, comparison: Comparison | undefined): Markup {
  if (!comparison) return html`<td>–</td>`;
  const verdict = decideVerdict(data, comparison);
  const isClear = verdict === 'better' || verdict === 'worse';
  return html`<td class="${isClear ? verdict : 'unclear'}">
    ${changeText(data, comparison)}<span class="word">${verdict}</span>
  </td>`;
}

function changeText(data: ReportData, comparison: Comparison): Markup {
  const { change_pct, ci95_pct, treatment, control, metric } = comparison;
  const paired = pairedText(comparison);
  if (paired) return paired;
  if (change_pct !== null) {
    return html`<b>${formatPct(change_pct)}</b
      ><span class="ci">${ci95_pct ? formatPctInterval(ci95_pct) : undefined}</span>`;
  }
  const [before, after] = [control, treatment].map((name) => findStatistics(data, name, metric)?.median ?? 0);
  return html`<b>${formatValue(before ?? 0)} → ${formatValue(after ?? 0)}</b
    ><span class="ci">${metricNamed(metric).unit}</span>`;
}

function paperRow(metrics: readonly MetricName[]): Markup | undefined {
  if (!metrics.some((metric) => paperValue('sammy-paper', metric, 'lab'))) return undefined;
  return html`<tfoot>
    <tr>
      <th scope="row">paper: Sammy in its lab</th>
      ${metrics.map((metric) => {
        const value = paperValue('sammy-paper', metric, 'lab');
        return value
          ? html`<td><b>${formatPct(value.change_pct)}</b><span class="ci">${value.reference}</span></td>`
          : html`<td>–</td>`;
      })}
    </tr>
  </tfoot>`;
}

import type { Direction } from '../../../network/measure/metric.ts';
import type { MetricName } from '../../../player/records/metrics.ts';
import { listCells, controlName, filterRuns, type Cell } from '../../../player/records/cells.ts';
import { IN_FLIGHT_NOTE, isInFlightMetric } from '../headline.ts';
import { paperValue, type PaperValue } from '../paper.ts';
import {
  findComparison,
  listConditions,
  measuredMetrics,
  metricNamed,
  findStatistics,
  type ReportData,
} from '../report-data.ts';
import { formatInterval, formatPct, formatPctInterval, formatValue } from '../../../ground/drawing/format.ts';
import { html, type Markup } from '../../../ground/drawing/html.ts';

const ARROWS: Readonly<Record<Direction, string>> = { lower: '↓', higher: '↑', neither: '' };

/** All measured metrics of every arm, with one table per condition. */
export function metricTables(data: ReportData): Markup {
  const { experiment } = data.manifest;
  const conditions = listConditions(experiment);
  return html`<section>
    <h2>Every metric</h2>
    <p class="note">
      Median of the runs with its bootstrap 95% interval; below it the percent change against
      ${controlName(experiment)} with its own. ↓ lower is better, ↑ higher is better, neither: pacing changes
      it by design. Against a median of 0 there is no percent change. The number of runs stands at the head of
      a column, and in a cell where fewer gave a value.
      ${measuredMetrics(data).some(isInFlightMetric) ? IN_FLIGHT_NOTE : undefined}
    </p>
    ${conditions.map((condition) => {
      const cells = listCells(experiment).filter(
        (cell) => cell.condition?.name === condition?.name && filterRuns(data.records, cell).length > 0,
      );
      if (cells.length === 0) return undefined;
      const content = table(data, cells);
      return condition
        ? html`<details ${conditions.length > 3 ? undefined : html`open`}>
            <summary>${condition.name}</summary>
            ${content}
          </details>`
        : content;
    })}
  </section>`;
}

function table(data: ReportData, cells: readonly Cell[]): Markup {
  const metrics = measuredMetrics(data).filter((metric) =>
    cells.some((cell) => findStatistics(data, cell.name, metric)),
  );
  const hasPaper = metrics.some((metric) => papersSammy(metric).length > 0);
  return html`<div class="scroll">
    <table class="metrics">
      <thead>
        <tr>
          <th scope="col">metric</th>
          ${hasPaper ? html`<th scope="col" class="paper">the paper's Sammy</th>` : undefined}
          ${cells.map(
            (cell) =>
              html`<th scope="col">
                ${cell.arm}<span class="ci">n = ${filterRuns(data.records, cell).length}</span>
              </th>`,
          )}
        </tr>
      </thead>
      <tbody>
        ${metrics.map((metric) => {
          const { label, unit, better } = metricNamed(metric);
          return html`<tr>
            <th scope="row">
              ${label}&nbsp;<span aria-label="${better} is better">${ARROWS[better]}</span
              ><span class="ci">${unit === label ? '' : unit}</span>
            </th>
            ${hasPaper ? html`<td class="paper">${papersSammy(metric).map(published)}</td>` : undefined}
            ${cells.map((cell) => measured(data, cell, metric))}
          </tr>`;
        })}
      </tbody>
    </table>
  </div>`;
}

function measured(data: ReportData, cell: Cell, metric: MetricName): Markup {
  const statistics = findStatistics(data, cell.name, metric);
  if (!statistics) return html`<td>–</td>`;
  const { median, ci95, n } = statistics;
  const change = findComparison(data, cell.name, metric);
  return html`<td>
    <b>${formatValue(median)}</b>
    <span class="ci">${ci95 ? formatInterval(ci95) : undefined}</span>
    ${
      change?.change_pct == null
        ? undefined
        : html`<span class="change">${formatPct(change.change_pct)}</span>
            <span class="ci">${change.ci95_pct ? formatPctInterval(change.ci95_pct) : undefined}</span>`
    }
    ${n < filterRuns(data.records, cell).length ? html`<span class="ci">n = ${n}</span>` : undefined}
    ${othersPaper(cell, metric)}
  </td>`;
}

/** The paper's value for an arm other than `sammy-paper`. Sammy's values have their own column. */
function othersPaper({ arm }: Cell, metric: MetricName): Markup | undefined {
  const value = arm === 'sammy-paper' ? undefined : paperValue(arm, metric, 'production');
  return value && html`<span class="paper">paper ${formatPct(value.change_pct)}, ${value.reference}</span>`;
}

const papersSammy = (metric: MetricName): PaperValue[] =>
  (['lab', 'production'] as const).flatMap((setting) => paperValue('sammy-paper', metric, setting) ?? []);

function published({
  change_pct,
  ci95_pct,
  control,
  treatment,
  reference,
  setting,
  note,
}: PaperValue): Markup {
  const absolute =
    control === undefined || treatment === undefined
      ? undefined
      : html`<span class="ci">${formatValue(control)} → ${formatValue(treatment)}</span>`;
  return html`<div>
    <b>${formatPct(change_pct)}</b>
    ${ci95_pct && html`<span class="ci">${formatPctInterval(ci95_pct)}</span>`} ${absolute}
    <span class="ci">${setting}, ${reference}</span>
    ${note === undefined ? undefined : html`<span class="ci">${note}</span>`}
  </div>`;
}

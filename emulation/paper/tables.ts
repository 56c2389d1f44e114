import type { FlowResult } from '../flows/flow-result.ts';
import type { MetricName } from '../metrics.ts';
import { cellsOf, controlOf, type Cell } from '../report/cells.ts';
import { formatInterval, formatPct, formatPctInterval, formatValue } from '../report/page/format.ts';
import { axisLabel, comparisonOf, pairedOf, statisticsOf, type ReportData } from '../report/report-data.ts';

const NOTHING = '–';
const table = (rows: readonly (readonly string[])[]): string => {
  const [header = [], ...body] = rows;
  return [header, header.map(() => '---'), ...body].map((row) => `| ${row.join(' | ')} |`).join('\n');
};

/** What was made, by which commit, for the line above a table. */
export const sourceLine = ({
  command,
  commit,
  removed,
  ended,
}:
  | ReportData['manifest']
  | { command: string; commit: string; removed: readonly unknown[]; ended?: string | null }): string =>
  `\`${command}\`, commit ${commit}${ended == null ? ', unfinished' : ''}; ${removed.length} runs removed.`;

/**
 * Medians with their 95% intervals, and in the treatments' cells the change against the control: a row a metric where
 * the experiment has no conditions, and a row a cell where it has.
 */
export function sessionTable(data: ReportData, wanted: readonly MetricName[]): string {
  const { experiment } = data.manifest;
  const cells = cellsOf(experiment).filter(({ name }) => data.summary.arms[name] !== undefined);
  const measured = wanted.filter((metric) => cells.some(({ name }) => statisticsOf(data, name, metric)));
  if (!experiment.conditions) {
    return table([
      ['', ...cells.map(({ name }) => `\`${name}\``)],
      ...measured.map((metric) => [axisLabel(metric), ...cells.map((cell) => entry(data, cell, metric))]),
    ]);
  }
  const rows = cells.map((cell) => [
    cell.condition?.name ?? '',
    `\`${cell.arm}\``,
    String(runsIn(data, cell)),
    ...measured.map((metric) => entry(data, cell, metric)),
  ]);
  return [
    table([['condition', 'arm', 'runs', ...measured.map(axisLabel)], ...rows]),
    ...(experiment.paired ? [pairedTable(data, measured)] : []),
  ].join('\n\n');
}

const runsIn = ({ records }: ReportData, { arm, condition }: Cell): number =>
  records.filter((run) => run.arm === arm && run.condition === condition?.name).length;

function entry(data: ReportData, cell: Cell, metric: MetricName): string {
  const statistics = statisticsOf(data, cell.name, metric);
  if (!statistics) return NOTHING;
  const { median, ci95 } = statistics;
  const value = `${formatValue(median)}${ci95 ? ` (${formatInterval(ci95)})` : ''}`;
  if (!controlOf(data.manifest.experiment, cell)) return value;
  const comparison = comparisonOf(data, cell.name, metric);
  if (comparison?.change_pct == null) return value;
  const { change_pct, ci95_pct } = comparison;
  return `${value}: ${formatPct(change_pct)}${ci95_pct ? ` (${formatPctInterval(ci95_pct)})` : ''}`;
}

/** The mean over conditions of treatment minus control. */
function pairedTable(data: ReportData, measured: readonly MetricName[]): string {
  const [, ...treatments] = data.manifest.experiment.arms;
  const rows = measured.map((metric) => [
    axisLabel(metric),
    ...treatments.map((arm) => {
      const paired = pairedOf(data, arm, metric);
      if (!paired) return NOTHING;
      const { difference, ci95 } = paired;
      return `${formatValue(difference)}${ci95 ? ` (${formatInterval(ci95)})` : ''}`;
    }),
  ]);
  return table([['difference, mean over conditions', ...treatments.map((arm) => `\`${arm}\``)], ...rows]);
}

/** First percentile of the utilization in windows of 10 ms, and the theory's; the median of a cell's runs. */
export function flowTable(results: readonly FlowResult[]): string {
  const arms = [...new Set(results.map(({ congestion_control }) => congestion_control))];
  const buffers = [...new Set(results.map(({ buffer_bdp }) => buffer_bdp))].sort((a, b) => a - b);
  const percent = (share: number | null | undefined) =>
    share == null ? NOTHING : `${Math.round(share * 100)}%`;
  const rows = buffers.map((buffer) => [
    String(buffer),
    ...arms.map((arm) => {
      const own = results.filter((each) => each.congestion_control === arm && each.buffer_bdp === buffer);
      // The windows in which BBR probes for the minimum RTT are left out, as its theory leaves them out.
      const shares = own.flatMap(
        ({ utilization_p1, utilization_p1_no_probe_rtt }) =>
          utilization_p1_no_probe_rtt ?? utilization_p1 ?? [],
      );
      return `${percent(middleOf(shares))} (${percent(own[0]?.theory)})`;
    }),
  ]);
  return table([['buffer, BDP', ...arms], ...rows]);
}

const middleOf = (values: readonly number[]): number | undefined =>
  values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)];

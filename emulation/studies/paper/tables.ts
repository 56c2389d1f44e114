import type { FlowResult } from '../../../buffers/flows/single/flow-result.ts';
import type { MetricName } from '../../player/session/metrics.ts';
import { cellsOf, controlOf, type Cell } from '../../player/session/cells.ts';
import {
  coverageText,
  formatHundredths,
  formatInterval,
  formatPct,
  formatPctInterval,
  formatValue,
} from '../../ground/drawing/format.ts';
import { LEAST_FOR_INTERVAL, mostCoverage } from '../../ground/statistics/bootstrap.ts';
import { isPaired } from '../report/summary.ts';
import { cellName, type RunRecord } from '../../player/session/run-record.ts';
import { withoutPlaces, type Manifest } from '../../harness/runs/manifest.ts';
import { axisLabel, comparisonOf, pairedOf, statisticsOf, type ReportData } from '../report/report-data.ts';

const NOTHING = '–';
/** A logarithmic unit, of which a percentage would depend on where its zero is. */
const LOGARITHMIC = 'dB';
const MAY_BE_NEGATIVE: MetricName = 'rtt_above_base_ms';
const table = (rows: readonly (readonly string[])[]): string => {
  const [header = [], ...body] = rows;
  return [header, header.map(() => '---'), ...body].map((row) => `| ${row.join(' | ')} |`).join('\n');
};

/** The line below a table: what was run, by which commit, and how certain the intervals of few runs are. */
export function sourceLine(
  { command, commit, removed, ended }: Pick<Manifest, 'command' | 'commit' | 'removed' | 'ended'>,
  records: readonly RunRecord[],
): string {
  const kept = records.filter(({ too_busy }) => too_busy !== undefined).length;
  return [
    `\`${withoutPlaces(command)}\`, commit ${commit}${ended == null ? ', unfinished' : ''}; ${removed.length} runs removed`,
    ...(kept > 0 ? [`${kept} kept although the machine was too busy`] : []),
    ...intervalsOf(records),
  ]
    .join('; ')
    .concat('.');
}

function intervalsOf(records: readonly RunRecord[]): string[] {
  const cells = new Map<string, number>();
  for (const { arm, condition } of records) {
    const cell = cellName(arm, condition);
    cells.set(cell, (cells.get(cell) ?? 0) + 1);
  }
  const least = Math.min(...cells.values());
  if (!Number.isFinite(least)) return [];
  if (least < LEAST_FOR_INTERVAL) return [`no intervals of fewer than ${LEAST_FOR_INTERVAL} runs`];
  return mostCoverage(least) < 0.95
    ? [`intervals of ${least} runs hold the true median in ${coverageText(least)} of cases at most`]
    : [];
}

/**
 * Medians with their 95% intervals, and for treatments the change against the control. Without conditions, each row is a
 * metric; with conditions, each row is a cell.
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
  const { median, ci95, unit } = statistics;
  const value = `${formatValue(median)}${ci95 ? ` (${formatInterval(ci95)})` : ''}`;
  const control = controlOf(data.manifest.experiment, cell);
  if (!control) return value;
  const before = statisticsOf(data, control.name, metric);
  if (before && (unit === LOGARITHMIC || metric === MAY_BE_NEGATIVE))
    return `${value}: ${formatHundredths(median - before.median)} ${unit}`;
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
  return table([
    [`difference, mean over conditions${pairsNote(data)}`, ...treatments.map((arm) => `\`${arm}\``)],
    ...rows,
  ]);
}

function pairsNote({ summary }: ReportData): string {
  const n = Math.max(0, ...summary.comparisons.filter(isPaired).map((paired) => paired.n));
  return n >= LEAST_FOR_INTERVAL && mostCoverage(n) < 0.95
    ? ` (intervals of ${n} hold the true one in ${coverageText(n)} of cases at most)`
    : '';
}

/** The 1st percentile of the utilization in windows of eight round trips, a median over a cell's runs, and the theory's. */
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

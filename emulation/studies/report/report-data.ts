import { listTreatments } from '../../player/records/cells.ts';
import type { Condition, SessionSettings } from '../../player/records/session-settings.ts';
import { metrics, type Metric, type MetricName } from '../../player/records/metrics.ts';
import type { RunRecord } from '../../player/records/run-record.ts';
import type { SessionManifest } from '../../player/records/session-manifest.ts';
import type { SessionSeries } from './representative.ts';
import {
  isPaired,
  type Comparison,
  type PairedComparison,
  type Statistics,
  type Summary,
} from './summary.ts';

/** All that a report is made of, read and computed; rendering it touches no file. */
export interface ReportData {
  readonly manifest: SessionManifest;
  readonly records: readonly RunRecord[];
  readonly summary: Summary;
  /** The series of one representative session per cell. */
  readonly series: readonly SessionSeries[];
}

export function metricNamed(name: MetricName): Metric {
  const metric = metrics.find((candidate) => candidate.name === name);
  if (metric) return metric;
  throw new Error(`no metric is called '${name}'`);
}

/** The label with its unit, such as `smoothed RTT, median (ms)`. */
export const axisLabel = (name: MetricName): string => {
  const { unit, label } = metricNamed(name);
  return unit === '' ? label : `${label} (${unit})`;
};

/** The unit in which texts state a metric, and the factor to that unit. Shares of the time are stated in percentage points. */
export function spokenUnit(name: MetricName): { readonly unit: string; readonly factor: number } {
  if (name === 'rebuffer_ratio' || name === 'avoidable_rebuffer_ratio')
    return { unit: 'points', factor: 100 };
  const { unit, label } = metricNamed(name);
  return { unit: unit === label ? '' : unit, factor: 1 };
}

export const findStatistics = (
  { summary }: ReportData,
  cell: string,
  metric: MetricName,
): Statistics | undefined => summary.arms[cell]?.[metric];

export const findComparison = (
  { summary }: ReportData,
  treatment: string,
  metric: MetricName,
): Comparison | undefined =>
  summary.comparisons.find(
    (each) => !isPaired(each) && each.treatment === treatment && each.metric === metric,
  );

export const findPaired = (
  { summary }: ReportData,
  treatment: string,
  metric: MetricName,
): PairedComparison | undefined =>
  summary.comparisons.filter(isPaired).find((each) => each.treatment === treatment && each.metric === metric);

/**
 * The names that are compared with the control, and the function that finds a comparison: arms over all conditions in a
 * paired experiment, otherwise cells.
 */
export const comparedIn = (experiment: SessionSettings) =>
  experiment.paired
    ? { names: experiment.arms.slice(1), find: findPaired }
    : { names: listTreatments(experiment).map(({ name }) => name), find: findComparison };

/** The metrics that any cell has, in the order of the table. */
export const measuredMetrics = ({ summary }: ReportData): MetricName[] =>
  metrics
    .map(({ name }) => name)
    .filter((name) => Object.values(summary.arms).some((arm) => arm[name] !== undefined));

/** The conditions of an experiment; one that is undefined where it has none. */
export const listConditions = ({ conditions }: SessionSettings): readonly (Condition | undefined)[] =>
  conditions ?? [undefined];

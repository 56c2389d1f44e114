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

/** All data for a report. Rendering a report accesses no files. */
export interface ReportData {
  readonly manifest: SessionManifest;
  readonly records: readonly RunRecord[];
  readonly summary: Summary;
  /** One representative session per cell, over time. */
  readonly series: readonly SessionSeries[];
}

export function metricNamed(name: MetricName): Metric {
  const metric = metrics.find((candidate) => candidate.name === name);
  if (metric) return metric;
  throw new Error(`no metric is called '${name}'`);
}

/** A metric's label with its unit, such as `smoothed RTT, median (ms)`. */
export const axisLabel = (name: MetricName): string => {
  const { unit, label } = metricNamed(name);
  return unit === '' ? label : `${label} (${unit})`;
};

/**
 * The unit in which texts state a metric, and the factor to that unit. Shares of the time are stated in percentage
 * points.
 */
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
 * The names of everything that is compared with the control, and a function that finds a comparison by name. In a
 * paired experiment, these are arms over all conditions; otherwise, they are cells.
 */
export const comparedIn = (experiment: SessionSettings) =>
  experiment.paired
    ? { names: experiment.arms.slice(1), find: findPaired }
    : { names: listTreatments(experiment).map(({ name }) => name), find: findComparison };

/** The metrics that at least one cell has, in the order of the table. */
export const measuredMetrics = ({ summary }: ReportData): MetricName[] =>
  metrics
    .map(({ name }) => name)
    .filter((name) => Object.values(summary.arms).some((arm) => arm[name] !== undefined));

/** The conditions of an experiment, or a single undefined if it has none. */
export const listConditions = ({ conditions }: SessionSettings): readonly (Condition | undefined)[] =>
  conditions ?? [undefined];

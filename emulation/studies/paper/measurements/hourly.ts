import { mean } from '../../../ground/statistics/bootstrap.ts';
import { HOUR_MS, START_MS } from '../../world/arrivals.ts';
import type { Metric, SessionRow } from '../../world/session-row.ts';
import { groupBy } from '../../../ground/statistics/grouped.ts';

/** The number of the hour in which a session began, counted from the world's start. */
export const getHour = ({ started_at }: SessionRow): number =>
  Math.floor((Date.parse(started_at) - START_MS) / HOUR_MS);

/** The mean of the sessions of each hour (Unbiased Experiments, Appendix B). */
function hourlyMeans(rows: readonly SessionRow[], metric: Metric): ReadonlyMap<number, number> {
  const known = rows.filter((row) => row.metrics[metric] !== null);
  const meanMetric = (own: readonly SessionRow[]) => mean(own.map((row) => row.metrics[metric] ?? NaN));
  return new Map([...groupBy(known, getHour)].map(([hour, own]) => [hour, meanMetric(own)]));
}

/** The mean over the hours' means; null without sessions. */
export function hourlyMean(rows: readonly SessionRow[], metric: Metric): number | null {
  const means = [...hourlyMeans(rows, metric).values()];
  return means.length === 0 ? null : mean(means);
}

const LAG_HOURS = 2;

/**
 * Newey and West's standard error of the difference between two groups, computed over hours, with the paper's lag of
 * two (Appendix B).
 */
export function byHour_se(
  treated: readonly SessionRow[],
  control: readonly SessionRow[],
  metric: Metric,
): number {
  const [ofTreated, ofControl] = [hourlyMeans(treated, metric), hourlyMeans(control, metric)];
  const hours = [...ofTreated.keys()].filter((hour) => ofControl.has(hour)).sort((a, b) => a - b);
  const differences = hours.map((hour) => (ofTreated.get(hour) ?? 0) - (ofControl.get(hour) ?? 0));
  const middle = mean(differences);
  const residuals = differences.map((each) => each - middle);
  const covariance = (lag: number) =>
    residuals.slice(lag).reduce((sum, each, at) => sum + each * (residuals[at] ?? 0), 0);
  const lagged = Array.from({ length: LAG_HOURS }, (_, index) => index + 1).reduce(
    (sum, lag) => sum + 2 * (1 - lag / (LAG_HOURS + 1)) * covariance(lag),
    0,
  );
  return Math.sqrt((covariance(0) + lagged) / hours.length ** 2);
}

/** The standard error of the difference under the assumption that accounts are independent of each other. */
export function byAccount_se(
  treated: readonly SessionRow[],
  control: readonly SessionRow[],
  metric: Metric,
): number {
  return Math.sqrt(varianceOfMean(treated, metric) + varianceOfMean(control, metric));
}

/** The variance of the mean over sessions, clustered by account. */
function varianceOfMean(rows: readonly SessionRow[], metric: Metric): number {
  const known = rows.flatMap((row) => {
    const value = row.metrics[metric];
    return value === null ? [] : [{ unit: row.unit, value }];
  });
  const middle = mean(known.map(({ value }) => value));
  const sums = new Map<string, number>();
  for (const { unit, value } of known) sums.set(unit, (sums.get(unit) ?? 0) + value - middle);
  return [...sums.values()].reduce((sum, each) => sum + each ** 2, 0) / known.length ** 2;
}

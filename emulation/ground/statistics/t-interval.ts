import { variance, mean, type Interval } from './bootstrap.ts';

/** The 97.5% quantiles of Student's t with 1 to 9 degrees of freedom. */
const QUANTILES = [12.7062, 4.3027, 3.1824, 2.7764, 2.5706, 2.4469, 2.3646, 2.306, 2.2622];
/** The 97.5% quantile of the normal distribution. */
const Z = 1.959964;

/** The 95% interval of the mean of approximately normal values; null for fewer than two. */
export function tInterval(values: readonly number[]): Interval | null {
  const n = values.length;
  if (n < 2) return null;
  const middle = mean(values);
  const half = tQuantile(n - 1) * Math.sqrt(variance(values) / n);
  return [middle - half, middle + half];
}

/** Beyond the table, uses the expansion in 1/df of Abramowitz and Stegun, 26.7.5, to three terms. */
const tQuantile = (df: number): number =>
  QUANTILES[df - 1] ??
  Z +
    (Z ** 3 + Z) / (4 * df) +
    (5 * Z ** 5 + 16 * Z ** 3 + 3 * Z) / (96 * df ** 2) +
    (3 * Z ** 7 + 19 * Z ** 5 + 17 * Z ** 3 - 15 * Z) / (384 * df ** 3);

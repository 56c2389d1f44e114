import { seededRandom, type Random } from './random.ts';

/**
 * The number of resamples of the percentile bootstrap (Efron 1979). It computes a statistic for many samples of the
 * same size, drawn from the sample with replacement; the middle 95% of the results is the interval.
 */
export const RESAMPLES = 10_000;

export type Interval = readonly [low: number, high: number];

export const mean = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0) / values.length;

/** The median; NaN without values. */
export const median = (values: readonly number[]): number =>
  quantile(
    values.toSorted((a, b) => a - b),
    0.5,
  );

export function variance(values: readonly number[]): number {
  const middle = mean(values);
  return values.reduce((sum, value) => sum + (value - middle) ** 2, 0) / (values.length - 1);
}

export function leastSquaresSlope(points: readonly (readonly [x: number, y: number])[]): number {
  const [x0, y0] = [mean(points.map(([x]) => x)), mean(points.map(([, y]) => y))];
  const above = points.reduce((sum, [x, y]) => sum + (x - x0) * (y - y0), 0);
  return above / points.reduce((sum, [x]) => sum + (x - x0) ** 2, 0);
}

/** The quantile of sorted values, interpolated linearly (Hyndman and Fan's type 7). */
export function quantile(sorted: readonly number[] | Float64Array, p: number): number {
  const position = (sorted.length - 1) * p;
  const low = sorted[Math.floor(position)] ?? NaN;
  const high = sorted[Math.ceil(position)] ?? NaN;
  // If `low` and `high` are both infinite, the formula would give NaN.
  return low === high ? low : low + (high - low) * (position - Math.floor(position));
}

/**
 * Returns a function that draws a resample and returns its median. It counts how often each rank is drawn, which avoids
 * sorting every resample.
 */
export function medianResampler(values: readonly number[], random: Random): () => number {
  const sorted = Float64Array.from(values).sort();
  const n = sorted.length;
  const drawn = new Uint32Array(n);
  return () => {
    drawn.fill(0);
    for (let draw = 0; draw < n; draw++) {
      const rank = Math.floor(random() * n);
      drawn[rank] = (drawn[rank] ?? 0) + 1;
    }
    const low = valueAtRank(sorted, drawn, Math.floor((n - 1) / 2));
    return n % 2 === 1 ? low : (low + valueAtRank(sorted, drawn, n / 2)) / 2;
  };
}

function valueAtRank(sorted: Float64Array, drawn: Uint32Array, rank: number): number {
  let seen = 0;
  for (let index = 0; index < sorted.length; index++) {
    seen += drawn[index] ?? 0;
    if (seen > rank) return sorted[index] ?? NaN;
  }
  return NaN;
}

/** The middle 95% of the values that `resample` returns; null when an end is not finite. */
export const interval95 = (resample: () => number): Interval | null => interval(resample, 0.025);

/**
 * The middle of the values that `resample` returns, without the share `tail` (0 to 0.5) at each end; null when an end
 * is not finite.
 */
export function interval(resample: () => number, tail: number): Interval | null {
  const statistics = new Float64Array(RESAMPLES);
  for (let drawn = 0; drawn < RESAMPLES; drawn++) statistics[drawn] = resample();
  statistics.sort();
  const ends = [quantile(statistics, tail), quantile(statistics, 1 - tail)] as const;
  return ends.every(Number.isFinite) ? ends : null;
}

/**
 * The fewest values for an interval. The interval of two values would be their range, which holds the true median in
 * only half of all cases.
 */
export const LEAST_FOR_INTERVAL = 3;

/** The 95% interval of the median; null for fewer values than `LEAST_FOR_INTERVAL`. */
export function medianInterval(values: readonly number[], seed: number): Interval | null {
  return values.length < LEAST_FOR_INTERVAL ? null : interval95(medianResampler(values, seededRandom(seed)));
}

/**
 * The highest possible probability that an interval between observed values holds the true median: it fails if all
 * values are above the median, or all below. 75% for three values, 94% for five; from six values on it exceeds 95%.
 */
export const mostCoverage = (n: number): number => 1 - 2 * 0.5 ** n;

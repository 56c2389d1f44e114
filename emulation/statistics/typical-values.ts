import { LEAST_FOR_INTERVAL, type Interval } from './bootstrap.ts';
import type { Random } from './random.ts';

/** Of more values, so many subsets are drawn at random instead of all. */
const MOST_VALUES = 12;

/**
 * The 95% interval of the center of a symmetric distribution by its typical values (Hartigan 1969): the means of all
 * non-empty subsets of n values cut the line into 2^n parts, each of which holds the center with the same probability.
 * So it is exact for few values, of which the bootstrap's interval of a mean is too narrow: of eight normal ones it misses
 * in 11% of cases. Fewer than six values have only the least and the most, which hold it in less than 95%. Null for fewer
 * values than `LEAST_FOR_INTERVAL`.
 */
export function typicalInterval(values: readonly number[], random: Random): Interval | null {
  const n = values.length;
  if (n < LEAST_FOR_INTERVAL) return null;
  const subsets = 2 ** Math.min(n, MOST_VALUES) - 1;
  const holds =
    n <= MOST_VALUES
      ? (subset: number, index: number) => ((subset >> index) & 1) === 1
      : () => random() < 0.5;
  const means = Float64Array.from({ length: subsets }, (_, index) => {
    let [sum, count] = [0, 0];
    for (let at = 0; at < n; at++) {
      if (!holds(index + 1, at)) continue;
      sum += values[at] ?? 0;
      count += 1;
    }
    return sum / count;
  }).sort();
  const outside = Math.max(1, Math.floor(0.025 * (subsets + 1)));
  const ends = [means[outside - 1] ?? NaN, means[subsets - outside] ?? NaN] as const;
  return ends.every(Number.isFinite) ? ends : null;
}

import { seededRandom } from './random.ts';

export interface KolmogorovSmirnov {
  /** The largest difference between the distribution functions of the two samples. */
  readonly statistic: number;
  /** The probability of a difference at least as large if both samples come from one distribution. */
  readonly p: number;
}

/**
 * The two-sample Kolmogorov-Smirnov test. The p-value is exact: it counts the lattice paths from (0, 0) to (n, m) that
 * leave the band (Hodges 1958). With ties, the p-value may be too large, but never too small.
 */
export function kolmogorovSmirnov(one: readonly number[], other: readonly number[]): KolmogorovSmirnov {
  const [n, m] = [one.length, other.length];
  if (n === 0 || m === 0) throw new Error('a Kolmogorov-Smirnov test needs two samples that are not empty');
  // In units of 1 / (n m), in which all differences are whole numbers.
  const difference = largestDifference(one.toSorted(ascending), other.toSorted(ascending));
  // For each (row, column), row by row: the share of paths that have stayed inside the band until there.
  let inside: number[] = Array.from({ length: m + 1 }, (_, column) => (column * n < difference ? 1 : 0));
  for (let column = 1; column <= m; column++)
    inside[column] = Math.min(inside[column] ?? 0, inside[column - 1] ?? 0);
  for (let row = 1; row <= n; row++) {
    const next: number[] = [];
    for (let column = 0; column <= m; column++) {
      const isInside = Math.abs(row * m - column * n) < difference;
      // A path reaches (row, column) from above with probability row / (row + column).
      const above = ((inside[column] ?? 0) * row) / (row + column);
      const left = ((next[column - 1] ?? 0) * column) / (row + column);
      next.push(isInside ? above + left : 0);
    }
    inside = next;
  }
  return { statistic: difference / (n * m), p: Math.min(1, 1 - (inside[m] ?? 0)) };
}

const ascending = (a: number, b: number): number => a - b;

function largestDifference(one: readonly number[], other: readonly number[]): number {
  const [n, m] = [one.length, other.length];
  let [i, j, largest] = [0, 0, 0];
  while (i < n && j < m) {
    const value = Math.min(one[i] ?? Infinity, other[j] ?? Infinity);
    while (i < n && (one[i] ?? Infinity) <= value) i++;
    while (j < m && (other[j] ?? Infinity) <= value) j++;
    largest = Math.max(largest, Math.abs(i * m - j * n));
  }
  return largest;
}

const SIMULATIONS = 400;
const ALPHA = 0.05;

/**
 * The power of the test for a shift of normal samples of n values each: `shift_sd` in standard deviations, significance
 * level 5%.
 */
export function ksPower(n: number, shift_sd: number, seed = 1): number {
  const random = seededRandom(seed);
  const normal = (): number => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  const sample = (shift: number): number[] => Array.from({ length: n }, () => normal() + shift);
  let found = 0;
  for (let simulation = 0; simulation < SIMULATIONS; simulation++)
    if (kolmogorovSmirnov(sample(0), sample(shift_sd)).p < ALPHA) found++;
  return found / SIMULATIONS;
}

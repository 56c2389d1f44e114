import { median } from './bootstrap.ts';

export interface Observation {
  readonly at_ms: number;
  readonly value: number;
}

/** The trend of values over time, and its statistical significance. */
export interface Drift {
  readonly n: number;
  /**
   * Theil and Sen's slope: the median slope over all pairs of values, in percent of the values' median per hour. Null if
   * all values have the same time.
   */
  readonly pct_per_h: number | null;
  /**
   * The two-sided p-value of Mann and Kendall's test: the share of all orders of the values in which they rise or fall
   * at least as consistently. Exact without ties. A tied pair counts as neither a rise nor a fall, which makes p larger.
   */
  readonly p: number;
  /**
   * The lowest p-value that is possible with this number of values. If it exceeds 0.05, there are too few values to
   * show any drift.
   */
  readonly least_p: number;
}

const MS_PER_H = 3_600_000;

/**
 * Tests the values of several strata, such as links with different levels. Values are compared only within their
 * stratum, and the scores are added (Hirsch, Slack and Smith 1982). Null without two values to compare.
 */
export function measureDrift(strata: readonly (readonly Observation[])[]): Drift | null {
  let [score, pairs, n] = [0, 0, 0];
  let inversions: readonly number[] = [1];
  const slopes: number[] = [];
  for (const stratum of strata) {
    const level = median(stratum.map(({ value }) => value));
    n += stratum.length;
    inversions = convolved(inversions, inversionShares(stratum.length));
    for (const [index, earlier] of stratum.entries()) {
      for (const later of stratum.slice(index + 1)) {
        const between_ms = later.at_ms - earlier.at_ms;
        const rise = later.value - earlier.value;
        pairs += 1;
        score += Math.sign(between_ms) * Math.sign(rise);
        if (between_ms !== 0 && level !== 0) slopes.push(((rise / level) * 100 * MS_PER_H) / between_ms);
      }
    }
  }
  if (pairs === 0) return null;
  // An order with k inversions has the score pairs - 2k.
  const shareFrom = (least: number) =>
    inversions.reduce((sum, share, k) => sum + (Math.abs(pairs - 2 * k) >= least ? share : 0), 0);
  return {
    n,
    pct_per_h: slopes.length === 0 ? null : median(slopes),
    p: Math.min(1, shareFrom(Math.abs(score))),
    least_p: shareFrom(pairs),
  };
}

/** The shares of the orders of n values that have 0, 1, 2, ... inversions. */
function inversionShares(n: number): number[] {
  let shares: number[] = [1];
  // Value i is placed before 0 to i - 1 of the previous values, each with the same probability.
  for (let i = 2; i <= n; i++) shares = convolved(shares, new Array<number>(i).fill(1 / i));
  return shares;
}

/** The distribution of the sum of two independent variables. */
function convolved(a: readonly number[], b: readonly number[]): number[] {
  const sum = new Array<number>(a.length + b.length - 1).fill(0);
  for (const [i, x] of a.entries()) {
    for (const [j, y] of b.entries()) sum[i + j] = (sum[i + j] ?? 0) + x * y;
  }
  return sum;
}

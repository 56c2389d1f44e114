import { variance, mean } from '../../ground/statistics/bootstrap.ts';
import { kolmogorovSmirnov, ksPower } from '../../ground/statistics/kolmogorov-smirnov.ts';
import type { PostcardResult } from './run-spec.ts';

/** One measured quantity of one scheme, with and without postcards. */
export interface PostcardComparison {
  readonly scheme: string;
  readonly quantity: 'throughput_mbps' | 'srtt_p95_ms';
  readonly reported: number;
  readonly unreported: number;
  /**
   * The change of the mean by postcards, %, with the 95% interval of the difference of means (normal approximation).
   */
  readonly change_pct: readonly [change: number, low: number, high: number];
  /** The p-value of the two-sample Kolmogorov-Smirnov test. */
  readonly p: number;
  /** The shift that the test detects with a power of 80%, in % of the mean. */
  readonly detectable_pct: number;
  readonly runs: readonly [reported: number, unreported: number];
}

const Z = 1.959964;
const POWER = 0.8;
const STEP_SD = 0.1;
const MOST_SD = 4;

/** The smallest shift, in standard deviations, that the test detects in four of five cases. */
function detectableShift_sd(n: number): number {
  for (let shift = STEP_SD; shift < MOST_SD; shift += STEP_SD) if (ksPower(n, shift) >= POWER) return shift;
  return Infinity;
}

export function compare(
  scheme: string,
  quantity: PostcardComparison['quantity'],
  results: readonly PostcardResult[],
  detectable_sd: (n: number) => number = detectableShift_sd,
): PostcardComparison | undefined {
  const of = (is: boolean): number[] =>
    results.filter((each) => each.scheme === scheme && each.isReported === is).map((each) => each[quantity]);
  const [one, other] = [of(true), of(false)];
  if (one.length < 2 || other.length < 2) return undefined;
  const [reported, unreported] = [mean(one), mean(other)];
  const error = Math.sqrt(variance(one) / one.length + variance(other) / other.length);
  const pct = (difference: number): number => (100 * difference) / unreported;
  const difference = reported - unreported;
  return {
    ...{ scheme, quantity, reported, unreported },
    change_pct: [pct(difference), pct(difference - Z * error), pct(difference + Z * error)],
    p: kolmogorovSmirnov(one, other).p,
    detectable_pct: pct(detectable_sd(Math.min(one.length, other.length)) * Math.sqrt(variance(other))),
    runs: [one.length, other.length],
  };
}

import { mean } from '../../ground/statistics/bootstrap.ts';
import { tInterval } from '../../ground/statistics/t-interval.ts';
import type { Calibration } from './calibrate-path.ts';

/** A mean over paths, with its 95% interval by Student's t. */
type Total = readonly [mean: number, low: number, high: number];

/** The totals of all calibrations; null if fewer than two paths have a value. */
export interface Totals {
  readonly error_pct: Total | null;
  /** The error for schemes that were left out of the search. The value of a path is the mean over these schemes. */
  readonly leftOut_pct: Total | null;
  readonly repeatability_pct: Total | null;
  /** The change of the error by each additional parameter, in percentage points, in the order of `ablation`. */
  readonly added_points: readonly (Total | null)[];
  /** The change of the error from constant to Poisson service, in percentage points, by path. */
  readonly poisson_points: Readonly<Record<string, number>>;
  /**
   * The error with jitter as a sixth parameter minus the error of a longer search without jitter, in percentage points.
   */
  readonly jitter_points: Total | null;
  /** Spearman's rank correlation of the schemes' delays on the path and in the emulator. */
  readonly rank_correlation: Total | null;
}

export function computeTotals(calibrations: readonly Calibration[]): Totals {
  const ablated = calibrations.filter(({ ablation }) => ablation.length > 0);
  const steps = Math.max(0, ...ablated.map(({ ablation }) => ablation.length - 1));
  return {
    error_pct: total(calibrations.map(({ chosen }) => chosen.error_pct)),
    leftOut_pct: total(
      calibrations.flatMap(({ leftOut }) => {
        const errors = Object.values(leftOut).map(({ error_pct }) => error_pct);
        return errors.length > 0 ? [mean(errors)] : [];
      }),
    ),
    repeatability_pct: total(calibrations.flatMap(({ repeatability_pct }) => repeatability_pct ?? [])),
    added_points: Array.from({ length: steps }, (_, step) =>
      total(
        ablated.map(
          ({ ablation }) => (ablation[step + 1]?.error_pct ?? NaN) - (ablation[step]?.error_pct ?? NaN),
        ),
      ),
    ),
    poisson_points: Object.fromEntries(
      calibrations.map(({ path, constant, poisson }) => [path, poisson.error_pct - constant.error_pct]),
    ),
    jitter_points: total(
      calibrations.flatMap(({ jitter }) =>
        jitter === null ? [] : [jitter.jittered.error_pct - jitter.longer.error_pct],
      ),
    ),
    rank_correlation: total(
      calibrations.map(({ measureHiddenPath: measured, chosen }) => {
        const schemes = Object.keys(measured);
        return rankCorrelation(
          schemes.map((scheme) => measured[scheme]?.delay_p95_ms ?? NaN),
          schemes.map((scheme) => chosen.performances[scheme]?.delay_p95_ms ?? NaN),
        );
      }),
    ),
  };
}

function total(values: readonly number[]): Total | null {
  const interval = tInterval(values);
  return interval && [mean(values), ...interval];
}

/** Spearman's rank correlation of values without ties. */
export function rankCorrelation(one: readonly number[], other: readonly number[]): number {
  const n = one.length;
  const [a, b] = [ranks(one), ranks(other)];
  const squares = a.reduce((sum, rank, index) => sum + (rank - (b[index] ?? NaN)) ** 2, 0);
  return 1 - (6 * squares) / (n * (n * n - 1));
}

const ranks = (values: readonly number[]): number[] =>
  values.map((value) => values.filter((other) => other < value).length);

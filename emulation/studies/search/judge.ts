import { mean, type Interval } from '../../ground/statistics/bootstrap.ts';
import { MARGINS } from '../../player/records/margins.ts';
import { seededRandom } from '../../ground/statistics/random.ts';
import { typicalInterval } from '../../ground/statistics/typical-values.ts';
import { OBJECTIVES, relativeTo, type Objective, type Outcome } from './outcome.ts';

/** The mean difference over traces, and its 95% interval by typical values. */
export interface Difference {
  readonly mean: number;
  readonly ci95: Interval | null;
  readonly n: number;
}

/** The comparison of a point with the default, trace by trace. */
export type Judged = Readonly<Record<Objective, Difference>> & {
  readonly verdict: 'better' | 'not better' | 'too few traces';
};

/**
 * The improvement of an objective that justifies another default. A deterioration by the same amount still counts as
 * not worse.
 */
export const CLEARLY: Readonly<Record<Objective, number>> = {
  throughput_pct: 5,
  stall_points: 100 * MARGINS.rebuffer_ratio,
  ssim_db: MARGINS.mean_ssim_db,
};

const computeDifference = (values: readonly number[], seed: number): Difference => ({
  mean: values.length === 0 ? 0 : mean(values),
  ci95: typicalInterval(values, seededRandom(seed)),
  n: values.length,
});

/**
 * Judges whether a point is better than the default: the whole interval of some objective shows an improvement by more
 * than the objective's margin, and no objective's interval includes a deterioration by more than its margin.
 */
export function judge(byDefault: readonly Outcome[], point: readonly Outcome[], seed: number): Judged {
  const pairs = byDefault.flatMap((outcome, index) => {
    const other = point[index];
    return other ? [relativeTo(outcome, other)] : [];
  });
  const differences = Object.fromEntries(
    OBJECTIVES.map(({ name }) => [
      name,
      computeDifference(
        pairs.flatMap((each) => each[name] ?? []),
        seed,
      ),
    ]),
  ) as Record<Objective, Difference>;
  return { ...differences, verdict: judgeDifferences(differences) };
}

function judgeDifferences(differences: Readonly<Record<Objective, Difference>>): Judged['verdict'] {
  // The worse end of each interval as a cost in units of the margin: above 0 is worse.
  const costs = OBJECTIVES.map(({ name, direction }) => {
    const { ci95 } = differences[name];
    if (!ci95) return null;
    const ends = ci95.map((end) => (direction === 'minimize' ? end : -end) / CLEARLY[name]);
    return Math.max(...ends);
  });
  if (costs.includes(null)) return 'too few traces';
  const worst = costs.map((cost) => cost ?? 0);
  return worst.every((cost) => cost <= 1) && worst.some((cost) => cost < -1) ? 'better' : 'not better';
}

import { mean } from '../../../ground/statistics/bootstrap.ts';
import { tInterval } from '../../../ground/statistics/t-interval.ts';
import { listRuns, type SchemeRuns } from './charts.ts';
import { computeSpread } from './ellipse.ts';

/** The scheme with the highest Kleinrock power, its throughput over its delay, in Mbit/s per s. */
export function bestByPower(schemes: readonly SchemeRuns[]): { scheme: string; power: number } | undefined {
  const powers = schemes.flatMap((each) => {
    const runs = listRuns(each);
    return runs.length === 0 ? [] : [{ scheme: each.scheme, power: computePower(computeSpread(runs).mean) }];
  });
  return powers.toSorted((one, other) => other.power - one.power)[0];
}

interface Point {
  readonly throughput_mbps: number;
  readonly delay_ms: number;
}

const computePower = ({ throughput_mbps, delay_ms }: Point): number => (1000 * throughput_mbps) / delay_ms;

/** A mean over repetitions; with two or more repetitions, also its 95% interval by Student's t. */
export type MeanOfRuns = readonly [mean: number, low: number, high: number] | readonly [mean: number];

export function meanOfRuns(values: readonly number[]): MeanOfRuns | null {
  if (values.length === 0) return null;
  const interval = tInterval(values);
  return interval ? [mean(values), ...interval] : [mean(values)];
}

/** The smallest relative difference that a plot shows. Marks of schemes that differ by less overlap. */
const MARGIN = 0.05;

/**
 * The number of other schemes with more throughput and less delay than this scheme, each by 5% or more. It is 0 for a
 * scheme on the frontier.
 */
export function countBetter(own: SchemeRuns, schemes: readonly SchemeRuns[]): MeanOfRuns | null {
  const others = schemes.filter(({ scheme }) => scheme !== own.scheme).map(byRepetition);
  return meanOfRuns(
    [...byRepetition(own)].map(
      ([k, { throughput_mbps, delay_ms }]) =>
        others.filter((runs) => {
          const other = runs.get(k);
          return (
            other !== undefined &&
            other.throughput_mbps >= throughput_mbps * (1 + MARGIN) &&
            other.delay_ms <= delay_ms * (1 - MARGIN)
          );
        }).length,
    ),
  );
}

/** The power of a scheme relative to another scheme in the same repetition, as a change in %. */
export const powerChange_pct = (own: SchemeRuns, other: SchemeRuns): MeanOfRuns | null => {
  const others = byRepetition(other);
  return meanOfRuns(
    [...byRepetition(own)].flatMap(([k, run]) => {
      const beside = others.get(k);
      return beside ? [100 * (computePower(run) / computePower(beside) - 1)] : [];
    }),
  );
};

const byRepetition = ({ results, ...own }: SchemeRuns): Map<number, Point> =>
  new Map(
    results.flatMap((result) => {
      const [run] = listRuns({ ...own, results: [result] });
      return run ? [[result.k, run]] : [];
    }),
  );

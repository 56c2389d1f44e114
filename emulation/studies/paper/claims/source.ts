import { mean } from '../../../ground/statistics/bootstrap.ts';
import { tInterval } from '../../../ground/statistics/t-interval.ts';
import type { Evidence } from './evidence.ts';
import type { Numbers } from './value.ts';

/** Where a measured number comes from: a metric of a condition, alone or compared with another condition. */
export interface Source {
  /** The name of the measurement, whose evidence is docs/results/evidence/NAME.json. */
  readonly evidence: string;
  readonly metric: string;
  readonly of: string;
  readonly against?: string;
  /** Whether the number is a level, a change in %, or a difference. */
  readonly as: 'level' | 'change' | 'difference';
}

/** Returns functions that make the sources of one measurement's numbers. */
export const makeSources = (evidence: string) => ({
  level: (metric: string, of: string): Source => ({ evidence, metric, of, as: 'level' }),
  /** A change in % of the other condition's value. */
  change: (metric: string, of: string, against: string): Source => ({
    ...{ evidence, metric, of, against },
    as: 'change',
  }),
  difference: (metric: string, of: string, against: string): Source => ({
    ...{ evidence, metric, of, against },
    as: 'difference',
  }),
});

/**
 * Computes a number with its 95% interval by Student's t over seeds, each of which is one independent repetition. A
 * single seed has no interval; without seeds the number is null. Conditions are paired by seed. A change is a ratio of
 * means; its interval is computed from each seed's deviation. The number is rounded as it is shown, so that a reader
 * who judges the shown numbers gets the same verdict.
 */
export function computeNumber(source: Source, evidence: Evidence): Numbers | null {
  const pairs = pairValues(source, evidence);
  if (pairs.length === 0) return null;
  const [own, other] = [mean(pairs.map(([value]) => value)), mean(pairs.map(([, value]) => value))];
  if (source.as === 'change' && other === 0) return null;
  const isChange = source.as === 'change';
  const point = isChange ? 100 * (own / other - 1) : own - other;
  const deviations = pairs.map(([value, compared]) =>
    isChange ? (100 * (value - (own / other) * compared)) / other : value - compared - point,
  );
  const interval = tInterval(deviations);
  if (interval === null) return roundShown(point);
  return [roundShown(point), roundShown(point + interval[0]), roundShown(point + interval[1])];
}

/** The pairs of values of the seeds that have both. The second value of a level is 0. */
function pairValues(
  { metric, of, against, as }: Source,
  { values, seeds, name }: Evidence,
): [number, number][] {
  const getList = (condition: string): readonly (number | null)[] => {
    const list = values[condition]?.[metric];
    if (list === undefined)
      throw new Error(`evidence of ${name} has no ${metric} of '${condition}'; measure it again`);
    return list;
  };
  const own = getList(of);
  const other = against === undefined ? null : getList(against);
  return seeds.flatMap((_, at): [number, number][] => {
    const value = own[at] ?? null;
    const compared = as === 'level' || other === null ? 0 : (other[at] ?? null);
    return value === null || compared === null ? [] : [[value, compared]];
  });
}

const SHOWN_DIGITS = 4;
/** Numbers closer to 0 than this are rounding errors. */
const NOTHING = 1e-9;
const roundShown = (value: number): number =>
  Math.abs(value) < NOTHING ? 0 : Number(value.toPrecision(SHOWN_DIGITS));

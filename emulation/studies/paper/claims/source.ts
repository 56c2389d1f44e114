import { mean } from '../../../ground/statistics/bootstrap.ts';
import { tInterval } from '../../../ground/statistics/t-interval.ts';
import type { Evidence } from './evidence.ts';
import type { Numbers } from './value.ts';

/** Where a number of ours comes from: a metric of a condition, by itself or compared with another condition. */
export interface Source {
  /** The measurement, whose evidence is docs/results/evidence/NAME.json. */
  readonly evidence: string;
  readonly metric: string;
  readonly of: string;
  readonly against?: string;
  /** How it is compared; a level where nothing is. */
  readonly as: 'level' | 'change' | 'difference';
}

/** The names of one measurement's numbers. */
export const sourcesOf = (evidence: string) => ({
  level: (metric: string, of: string): Source => ({ evidence, metric, of, as: 'level' }),
  /** In % of what it is compared with. */
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
 * The number with its 95% interval by Student's t over seeds, each of which is one independent repetition; without an interval
 * from a single seed, null from none. Conditions are paired by seed. A change is a ratio of means, whose interval is of what
 * each seed deviates from it. Rounded as it is shown, so that a reader who judges the shown numbers comes to the same verdict.
 */
export function numberOf(source: Source, evidence: Evidence): Numbers | null {
  const pairs = pairsOf(source, evidence);
  if (pairs.length === 0) return null;
  const [own, other] = [mean(pairs.map(([value]) => value)), mean(pairs.map(([, value]) => value))];
  if (source.as === 'change' && other === 0) return null;
  const isChange = source.as === 'change';
  const point = isChange ? 100 * (own / other - 1) : own - other;
  const deviations = pairs.map(([value, compared]) =>
    isChange ? (100 * (value - (own / other) * compared)) / other : value - compared - point,
  );
  const interval = tInterval(deviations);
  if (interval === null) return shown(point);
  return [shown(point), shown(point + interval[0]), shown(point + interval[1])];
}

/** The values of each seed that has both; of a level, nothing is subtracted. */
function pairsOf({ metric, of, against, as }: Source, { values, seeds, name }: Evidence): [number, number][] {
  const listOf = (condition: string): readonly (number | null)[] => {
    const list = values[condition]?.[metric];
    if (list === undefined)
      throw new Error(`evidence of ${name} has no ${metric} of '${condition}'; measure it again`);
    return list;
  };
  const own = listOf(of);
  const other = against === undefined ? null : listOf(against);
  return seeds.flatMap((_, at): [number, number][] => {
    const value = own[at] ?? null;
    const compared = as === 'level' || other === null ? 0 : (other[at] ?? null);
    return value === null || compared === null ? [] : [[value, compared]];
  });
}

const SHOWN_DIGITS = 4;
/** Below this, a difference of equal numbers is only how they were added up. */
const NOTHING = 1e-9;
const shown = (value: number): number =>
  Math.abs(value) < NOTHING ? 0 : Number(value.toPrecision(SHOWN_DIGITS));

import { MARGINS } from '../../player/records/margins.ts';
import { CLEARLY } from './judge.ts';
import type { Trial } from './optimizer.ts';
import { OBJECTIVES, type Objectives } from './outcome.ts';

/** Smaller is better for each, whichever the direction. */
const costsOf = (objectives: Objectives): number[] =>
  OBJECTIVES.map(({ name, direction }) => (direction === 'minimize' ? 1 : -1) * objectives[name]);

const dominates = (a: readonly number[], b: readonly number[]): boolean =>
  a.every((cost, index) => cost <= (b[index] ?? 0)) && a.some((cost, index) => cost < (b[index] ?? 0));

/** The trials that no other is better than, or as good in all objectives and better in one: the Pareto front. */
export function frontOf<Tried extends Pick<Trial, 'objectives'>>(trials: readonly Tried[]): Tried[] {
  const costs = trials.map(({ objectives }) => costsOf(objectives));
  return trials.filter((_, index) => !costs.some((other) => dominates(other, costs[index] ?? [])));
}

/** Is it not worse than unpaced, by the margins? */
export const isHarmless = ({ stall_points, ssim_db }: Objectives): boolean =>
  stall_points <= 100 * MARGINS.rebuffer_ratio && ssim_db >= -MARGINS.mean_ssim_db;

export const CHOICES = ['lean', 'balanced', 'picture'] as const;
export type Choice = (typeof CHOICES)[number];

export const ABOUT_CHOICE: Readonly<Record<Choice, string>> = {
  lean: 'the least chunk throughput',
  balanced: 'the nearest to the best of each objective',
  picture: 'the best SSIM',
};

/**
 * Is it worse than the default in no objective by more than half of its margin? Half, since points are chosen for what they
 * did on these traces, and will do a little worse on others.
 */
const isAsGood = (objectives: Objectives, byDefault: Objectives): boolean =>
  OBJECTIVES.every(
    ({ name, direction }) =>
      (direction === 'minimize' ? 1 : -1) * (objectives[name] - byDefault[name]) <= CLEARLY[name] / 2,
  );

/**
 * Three different points of a front: of those that are as good as the default, if there are three; else of those that are
 * not worse than unpaced; else of all, and fewer if the front has fewer.
 */
export function chooseThree<Tried extends Pick<Trial, 'objectives'>>(
  front: readonly Tried[],
  byDefault: Objectives | undefined,
): Partial<Record<Choice, Tried>> {
  const asGood = front.filter(({ objectives }) => byDefault && isAsGood(objectives, byDefault));
  const harmless = front.filter(({ objectives }) => isHarmless(objectives));
  const candidates = [asGood, harmless].find(({ length }) => length >= CHOICES.length) ?? front;
  const distance = distanceToIdeal(candidates.map(({ objectives }) => objectives));
  const costs: Readonly<Record<Choice, (objectives: Objectives) => number>> = {
    lean: ({ throughput_pct }) => throughput_pct,
    picture: ({ ssim_db }) => -ssim_db,
    balanced: distance,
  };
  const chosen: Partial<Record<Choice, Tried>> = {};
  for (const choice of ['lean', 'picture', 'balanced'] as const) {
    const left = candidates.filter((each) => !Object.values(chosen).includes(each));
    const [best] = left.sort((a, b) => costs[choice](a.objectives) - costs[choice](b.objectives));
    if (best) chosen[choice] = best;
  }
  return chosen;
}

/** The distance to the point that is best in everything, where each objective's range counts as 1. */
function distanceToIdeal(all: readonly Objectives[]): (objectives: Objectives) => number {
  const columns = OBJECTIVES.map((_, index) => all.map((each) => costsOf(each)[index] ?? 0));
  return (objectives) =>
    Math.hypot(
      ...costsOf(objectives).map((cost, index) => {
        const column = columns[index] ?? [];
        const [best, worst] = [Math.min(...column), Math.max(...column)];
        return worst > best ? (cost - best) / (worst - best) : 0;
      }),
    );
}

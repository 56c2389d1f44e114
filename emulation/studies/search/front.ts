import { MARGINS } from '../../player/records/margins.ts';
import { CLEARLY } from './judge.ts';
import type { Trial } from './optimizer.ts';
import { OBJECTIVES, type Objectives } from './outcome.ts';

/** Converts the objectives to costs, of which smaller values are better. */
const toCosts = (objectives: Objectives): number[] =>
  OBJECTIVES.map(({ name, direction }) => (direction === 'minimize' ? 1 : -1) * objectives[name]);

const dominates = (a: readonly number[], b: readonly number[]): boolean =>
  a.every((cost, index) => cost <= (b[index] ?? 0)) && a.some((cost, index) => cost < (b[index] ?? 0));

/** The Pareto front: the trials that no other trial dominates. */
export function findFront<Tried extends Pick<Trial, 'objectives'>>(trials: readonly Tried[]): Tried[] {
  const costs = trials.map(({ objectives }) => toCosts(objectives));
  return trials.filter((_, index) => !costs.some((other) => dominates(other, costs[index] ?? [])));
}

/** Whether a point is worse than the unpaced arm by no more than the margins. */
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
 * Whether no objective is worse than with the default by more than half of its margin. Only half, because a point that
 * was chosen by its results on these traces will do slightly worse on other traces.
 */
const isAsGood = (objectives: Objectives, byDefault: Objectives): boolean =>
  OBJECTIVES.every(
    ({ name, direction }) =>
      (direction === 'minimize' ? 1 : -1) * (objectives[name] - byDefault[name]) <= CLEARLY[name] / 2,
  );

/**
 * Chooses three different points of a front. If there are three points that are as good as the default, chooses among
 * these; otherwise among the points that are not worse than the unpaced arm; otherwise among all points. Returns fewer
 * if the front has fewer.
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

/** The distance to the point that is best in every objective, with each objective's range scaled to 1. */
function distanceToIdeal(all: readonly Objectives[]): (objectives: Objectives) => number {
  const columns = OBJECTIVES.map((_, index) => all.map((each) => toCosts(each)[index] ?? 0));
  return (objectives) =>
    Math.hypot(
      ...toCosts(objectives).map((cost, index) => {
        const column = columns[index] ?? [];
        const [best, worst] = [Math.min(...column), Math.max(...column)];
        return worst > best ? (cost - best) / (worst - best) : 0;
      }),
    );
}

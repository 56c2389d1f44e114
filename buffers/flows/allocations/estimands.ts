import { meanOrNull } from '../../../emulation/ground/statistics/percentiles.ts';
import type { Interval } from '../../../emulation/ground/statistics/bootstrap.ts';
import { tInterval } from '../../../emulation/ground/statistics/t-interval.ts';
import type { ArmName } from './cell.ts';
import type { UnitResult } from './unit-result.ts';

export const METRICS = ['throughput_kbps', 'retransmit_pct'] as const;
export type Metric = (typeof METRICS)[number];

/** All runs with the same number of treated units. */
export interface Allocation {
  /** The number of treated units, of ten. */
  readonly treated: number;
  readonly runs: readonly AllocatedRun[];
}

export interface AllocatedRun {
  /** The number of the run. Runs with the same number have the same seed at every allocation. */
  readonly k: number;
  readonly units: readonly UnitResult[];
}

/** A change in %, with its uncertainty over runs. */
export interface Effect {
  /** The change of the means over all runs. */
  readonly pct: number;
  /**
   * The 95% interval by Student's t over runs. Null if there is only one run, because one run does not show the
   * variation between runs.
   */
  readonly interval_pct: Interval | null;
}

/**
 * Means of one metric at one allocation, and the result of an A/B test at this allocation. A value is null if its arm
 * is empty.
 */
export interface Point {
  readonly treated: number;
  readonly runs: number;
  /** The mean of the treatment arm, μ_T(p), if a share p of the units is treated. */
  readonly treatment: number | null;
  /** The mean of the control arm, μ_C(p). */
  readonly control: number | null;
  /** τ(p)/μ_C(p), with τ(p) = μ_T(p) − μ_C(p): the change that a naive A/B test reports. */
  readonly tau: Effect | null;
  /** The spillover s(p)/μ_C(0), with s(p) = μ_C(p) − μ_C(0). */
  readonly spillover: Effect | null;
}

/** The estimands of Unbiased Experiments in Congested Networks, §2. */
export interface Effects {
  readonly points: readonly Point[];
  /** The total treatment effect (μ_T(1) − μ_C(0))/μ_C(0). Null until p = 0 and p = 1 have been run. */
  readonly tte: Effect | null;
}

/** The units of an arm at an allocation. */
interface Group {
  readonly allocation: Allocation | undefined;
  readonly arm: ArmName;
}

/** Computes all effects on one metric. `all` is the number of units. */
export function effectsOn(metric: Metric, allocations: readonly Allocation[], all: number): Effects {
  const inOrder = allocations.toSorted((one, other) => one.treated - other.treated);
  const at = (treated: number) => inOrder.find((each) => each.treated === treated);
  const untreated: Group = { allocation: at(0), arm: 'control' };
  return {
    points: inOrder.map((allocation) => {
      const treatment: Group = { allocation, arm: 'treatment' };
      const control: Group = { allocation, arm: 'control' };
      return {
        ...{ treated: allocation.treated, runs: allocation.runs.length },
        treatment: groupMean(metric, treatment),
        control: groupMean(metric, control),
        tau: computeEffect(metric, treatment, control),
        spillover: allocation.treated === 0 ? null : computeEffect(metric, control, untreated),
      };
    }),
    tte: computeEffect(metric, { allocation: at(all), arm: 'treatment' }, untreated),
  };
}

/**
 * Returns the change from group `other` to `group` as a ratio of means, with an interval from the deviations of each
 * run's means. Null if a group is empty or the mean of `other` is 0.
 */
function computeEffect(metric: Metric, group: Group, other: Group): Effect | null {
  const from = groupMean(metric, other);
  const pct = percentChange(groupMean(metric, group), from);
  if (pct === null || from === null) return null;
  const deviations_pct = (group.allocation?.runs ?? []).flatMap(({ k }) => {
    const [mine, others] = [groupMean(metric, group, k), groupMean(metric, other, k)];
    return mine === null || others === null ? [] : [(100 * (mine - (1 + pct / 100) * others)) / from];
  });
  const chance = tInterval(deviations_pct);
  return { pct, interval_pct: chance && [pct + chance[0], pct + chance[1]] };
}

/** Returns the mean over all runs of an allocation, or of run `k` only. */
const groupMean = (metric: Metric, { allocation, arm }: Group, k?: number): number | null =>
  meanOrNull(
    (allocation?.runs ?? [])
      .filter((run) => k === undefined || run.k === k)
      .flatMap(({ units }) => units)
      .filter((unit) => unit.arm === arm)
      .map((unit) => unit[metric]),
  );

/** Returns the change from `from` to `to` in % of `from`. Null if either value is missing or `from` is 0. */
const percentChange = (to: number | null, from: number | null): number | null =>
  to === null || from === null || from === 0 ? null : (100 * (to - from)) / from;

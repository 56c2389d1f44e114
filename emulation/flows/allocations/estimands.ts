import { meanOrNull } from '../../measure/statistics.ts';
import type { ArmName } from './cell.ts';
import type { UnitResult } from './unit-result.ts';

export const METRICS = ['throughput_kbps', 'retransmit_pct'] as const;
export type Metric = (typeof METRICS)[number];

/** The units of every run at one allocation. */
export interface Allocation {
  /** How many of the ten are treated. */
  readonly treated: number;
  readonly units: readonly UnitResult[];
}

/** Means of one metric at one allocation, and what an A/B test there says; null where nobody is in that arm. */
export interface Point {
  readonly treated: number;
  /** μ_T(p) and μ_C(p). */
  readonly treatment: number | null;
  readonly control: number | null;
  /** τ(p) over μ_C(p): the change that a naive A/B test reports, %. */
  readonly tau_pct: number | null;
  /** s(p) = μ_C(p) − μ_C(0) over μ_C(0), %. */
  readonly spillover_pct: number | null;
}

/** The estimands of §2. */
export interface Effects {
  readonly points: readonly Point[];
  /** μ_T(1) − μ_C(0) over μ_C(0), %; null until both ends have been run. */
  readonly tte_pct: number | null;
}

/** All effects on one metric. `all` is how many units there are. */
export function effectsOn(metric: Metric, allocations: readonly Allocation[], all: number): Effects {
  const inOrder = allocations.toSorted((one, other) => one.treated - other.treated);
  const meanOf = ({ units }: Allocation, arm: ArmName) =>
    meanOrNull(units.filter((unit) => unit.arm === arm).map((unit) => unit[metric]));
  const at = (treated: number) => inOrder.find((each) => each.treated === treated);
  const [none, everybody] = [at(0), at(all)];
  const untreated = none ? meanOf(none, 'control') : null;
  const deployed = everybody ? meanOf(everybody, 'treatment') : null;
  return {
    points: inOrder.map((allocation) => {
      const [treatment, control] = [meanOf(allocation, 'treatment'), meanOf(allocation, 'control')];
      return {
        ...{ treated: allocation.treated, treatment, control },
        tau_pct: changeOf(treatment, control),
        spillover_pct: allocation.treated === 0 ? null : changeOf(control, untreated),
      };
    }),
    tte_pct: changeOf(deployed, untreated),
  };
}

/** In % of `from`; null where there is none, or nothing to take a percentage of. */
const changeOf = (to: number | null, from: number | null): number | null =>
  to === null || from === null || from === 0 ? null : (100 * (to - from)) / from;

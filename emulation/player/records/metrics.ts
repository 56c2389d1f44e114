import type { MetricDeclaration } from '../../network/measure/metric.ts';
import { neighbors, type NeighborMetricName } from '../neighbors/index.ts';
import { sessionMetrics } from './measurements.ts';

/** Metrics that only the report can compute, because they compare two sessions. */
const derivedMetrics = {
  avoidable_rebuffer_ratio: {
    unit: '',
    label: 'avoidable rebuffer ratio: beyond that of always the lowest rung',
    better: 'lower',
  },
} satisfies Readonly<Record<string, MetricDeclaration>>;

export type MetricName = keyof typeof sessionMetrics | keyof typeof derivedMetrics | NeighborMetricName;

export interface Metric extends MetricDeclaration {
  readonly name: MetricName;
}

/** A run's values; null for a metric that has none, such as the play delay of a session that never began to play. */
export type Measured = Partial<Record<MetricName, number | null>>;

const named = (declared: Readonly<Record<string, MetricDeclaration>>): Metric[] =>
  Object.entries(declared).map(([name, { unit, label, better }]) => ({
    name: name as MetricName,
    unit,
    label,
    better,
  }));

/**
 * All metrics in the order of the report's table: the session's own, those derived from other sessions, and those of
 * every neighbor.
 */
export const metrics: readonly Metric[] = [
  ...named(sessionMetrics),
  ...named(derivedMetrics),
  ...neighbors.flatMap((neighbor) => named(neighbor.metrics)),
];

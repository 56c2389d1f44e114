import type { MetricDeclaration } from './metric.ts';
import { neighbours, type NeighbourMetricName } from './neighbours/index.ts';
import { sessionMetrics } from './sessions/measurements.ts';

export type MetricName = keyof typeof sessionMetrics | NeighbourMetricName;

/** A metric with its name, which is the same everywhere. */
export interface Metric extends MetricDeclaration {
  readonly name: MetricName;
}

/** A run's values; null where a session has none, such as the play delay of one that never began to play. */
export type Measured = Partial<Record<MetricName, number | null>>;

const named = (declared: Readonly<Record<string, MetricDeclaration>>): Metric[] =>
  Object.entries(declared).map(([name, { unit, label, better }]) => ({
    name: name as MetricName,
    unit,
    label,
    better,
  }));

/** The session's own metrics, then every neighbour's, in the order of the report's table. */
export const metrics: readonly Metric[] = [
  ...named(sessionMetrics),
  ...neighbours.flatMap((neighbour) => named(neighbour.metrics)),
];

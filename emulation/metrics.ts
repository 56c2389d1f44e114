import type { MetricDeclaration } from './metric.ts';
import { neighbours, type NeighbourMetricName } from './neighbours/index.ts';
import { sessionMetrics } from './sessions/measurements.ts';

export type MetricName = keyof typeof sessionMetrics | NeighbourMetricName;

/** A figure of one session, under the name it has everywhere. */
export interface Metric extends MetricDeclaration {
  readonly name: MetricName;
}

/** What a run has measured; null where a session gave no value, such as the play delay of one that never began. */
export type Measured = Partial<Record<MetricName, number | null>>;

const named = (declared: Readonly<Record<string, MetricDeclaration>>): Metric[] =>
  Object.entries(declared).map(([name, { unit, label, better }]) => ({
    name: name as MetricName,
    unit,
    label,
    better,
  }));

/** The session's own, then every neighbour's, in the order of the report's table. */
export const metrics: readonly Metric[] = [
  ...named(sessionMetrics),
  ...neighbours.flatMap((neighbour) => named(neighbour.metrics)),
];

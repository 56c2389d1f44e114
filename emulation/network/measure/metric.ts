/**
 * The direction of a metric that is better for viewers or their neighbors. `neither`: a treatment changes the metric by
 * design, so that neither direction is a loss.
 */
export type Direction = 'lower' | 'higher' | 'neither';

/**
 * A metric of a session: its label, its unit, and which direction is better. The key of its declaration is its name.
 */
export interface MetricDeclaration {
  readonly unit: string;
  /** The name for readers, as it appears in tables, legends and on axes. */
  readonly label: string;
  readonly better: Direction;
}

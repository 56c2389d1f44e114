/** A metric of a session: its label and unit, and which direction is better. Its name is its key where it is declared. */
export interface MetricDeclaration {
  readonly unit: string;
  /** The name for readers, as it appears in tables, legends and on axes. */
  readonly label: string;
  readonly better: 'lower' | 'higher';
}

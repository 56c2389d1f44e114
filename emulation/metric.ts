/** What a figure of one session is, and which way is better; its name is its key where it is declared. */
export interface MetricDeclaration {
  readonly unit: string;
  /** For people; it stands alone in tables, legends and on axes. */
  readonly label: string;
  readonly better: 'lower' | 'higher';
}

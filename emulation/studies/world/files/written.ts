import { csvOf, METRICS, type Metric } from '../session-row.ts';
import { parquetOf } from './parquet-of.ts';

/** Formats of the sessions, with what makes them of rows. */
export const FORMATS = { csv: csvOf, parquet: parquetOf };

/** How the sessions are written. */
export interface Written {
  readonly format: keyof typeof FORMATS;
  readonly metrics: readonly Metric[];
}

export const USUAL: Written = { format: 'csv', metrics: METRICS };

/** As it was asked for, where it was. */
type WrittenValues = { readonly [Field in keyof Written]?: Written[Field] | undefined };

export const askedWritten = ({ format = USUAL.format, metrics = USUAL.metrics }: WrittenValues): Written => ({
  format,
  metrics,
});

/** A table's sessions are read by a command that wants them all as CSV. */
export function refuseWritten({ format, metrics }: WrittenValues): void {
  if (format !== undefined || metrics !== undefined)
    throw new Error('world: --format and --metrics are of one experiment, not of --table');
}

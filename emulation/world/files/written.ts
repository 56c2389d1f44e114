import { nameOf } from '../../words/values.ts';
import type { Values } from '../words.ts';
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

const KNOWN = Object.fromEntries(METRICS.map((name) => [name, name])) as Record<Metric, Metric>;

/** Throws an Error of one line for another format, or a metric that there is not. */
export function askedWritten({ format, metrics }: Values): Written {
  return {
    format: format === undefined ? USUAL.format : nameOf(FORMATS, format, 'format'),
    metrics: metrics?.split(',').map((name) => nameOf(KNOWN, name, 'metrics')) ?? USUAL.metrics,
  };
}

/** A table's sessions are read by a command that wants them all as CSV. */
export function refuseWritten({ format, metrics }: Values): void {
  if (format !== undefined || metrics !== undefined)
    throw new Error('world: --format and --metrics are of one experiment, not of --table');
}

import type { WorldMeasurement } from '../../player/records/session-measurements.ts';
import type { SessionSummary } from '../../../src/session/summary.ts';

/** Returns its arguments, which must list all of `Name`; a call that omits one is a compile error. */
const inOrder =
  <Name extends string>() =>
  <const Names extends readonly Name[]>(
    ...names: [Name] extends [Names[number]] ? Names : readonly Exclude<Name, Names[number]>[]
  ) =>
    names as Names;

/**
 * The metrics of a session, in the order of the columns: those that session-measurements.ts declares for worlds. Null
 * if nothing was measured.
 */
export const METRICS = inOrder<WorldMeasurement>()(
  'chunk_throughput_kbps',
  'min_rtt_ms',
  'rtt_median_ms',
  'retransmit_pct',
  'play_delay_ms',
  'mean_bitrate_kbps',
  'initial_bitrate_kbps',
  'switches',
  'rebuffer_count',
  'rebuffer_ratio',
  'bytes_sent',
  'played_s',
);
export type Metric = WorldMeasurement;
export type Metrics = Readonly<Record<Metric, number | null>>;

/** A row in the format that `npm run experiment -- analyze` reads. */
export interface SessionRow {
  readonly session_id: string;
  readonly unit: string;
  readonly cluster: string;
  readonly arm: string;
  readonly allocation: number;
  /** The time in ISO 8601, UTC. */
  readonly started_at: string;
  /** The number of the switchback's window; null for other designs. */
  readonly window: number | null;
  /** Whether the session began in the window's wash-out. */
  readonly washout: boolean;
  readonly metrics: Metrics;
}

export const pickMetrics = (
  summary: SessionSummary,
  network: { readonly min_rtt_ms: number | null; readonly bytes_sent: number },
): Metrics => {
  const all: Omit<SessionSummary, 'pacing_honored'> & typeof network = { ...summary, ...network };
  return Object.fromEntries(METRICS.map((name) => [name, all[name]])) as Record<Metric, number | null>;
};

const COLUMNS = [
  'session_id',
  'unit',
  'cluster',
  'arm',
  'allocation',
  'started_at',
  'window',
  'washout',
] as const;

/** Formats rows as CSV with a header and these metrics. A metric that was not measured has an empty field. */
export function toCsv(rows: readonly SessionRow[], metrics: readonly Metric[] = METRICS): string {
  const lines = rows.map((row) =>
    [
      ...COLUMNS.map((name) => row[name] ?? ''),
      ...metrics.map((name) => {
        const value = row.metrics[name];
        return value === null ? '' : Number(value.toPrecision(8));
      }),
    ].join(','),
  );
  return `${[[...COLUMNS, ...metrics].join(','), ...lines].join('\n')}\n`;
}

import type { Markup } from '../../../emulation/ground/drawing/html.ts';
import { allRunsTable, percent, type RunColumn } from '../all-runs-table.ts';
import type { AllocationRun } from './read-runs.ts';

const COLUMNS: readonly RunColumn<AllocationRun>[] = [
  ['run', ({ cell, k }) => `${cell.comparison.name}, ${k}`],
  ['treated', ({ cell }) => String(cell.treated)],
  ['utilization mean', ({ result }) => percent(result.utilization_mean)],
  ['queue p50 (packets)', ({ result }) => String(result.queue_p50_packets ?? '')],
  ['switch late p99 (µs)', ({ result }) => result.lateness_p99_us.toFixed(0)],
  ['switch CPU', ({ result }) => percent(result.switch_cpu_share)],
  ['others (%)', ({ result }) => result.others_pct.toFixed(0)],
  ['steal (%)', ({ result }) => result.steal_pct?.toFixed(1) ?? ''],
];

/** Columns that only the model's senders can fill. */
const VIRTUAL_COLUMNS: readonly RunColumn<AllocationRun>[] = (['control', 'treatment'] as const).map(
  (arm) => [
    `window is the limit, ${arm} (% of ACKs)`,
    ({ result }) => percent(result.window_limits_share?.[arm] ?? null),
  ],
);

/** The link and the machine in every run, and what their senders tell. */
export const runTable = (runs: readonly AllocationRun[]): Markup =>
  allRunsTable(
    runs,
    runs.some(({ result }) => result.window_limits_share) ? [...COLUMNS, ...VIRTUAL_COLUMNS] : COLUMNS,
  );

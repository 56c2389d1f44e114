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

/** Columns for runs in virtual time, because only simulated senders report these values. */
const VIRTUAL_COLUMNS: readonly RunColumn<AllocationRun>[] = (['control', 'treatment'] as const).map(
  (arm) => [
    `window is the limit, ${arm} (% of ACKs)`,
    ({ result }) => percent(result.window_limits_share?.[arm] ?? null),
  ],
);

/** A table with a row for every run: the state of the link and the machine, and the reports of simulated senders. */
export const runTable = (runs: readonly AllocationRun[]): Markup =>
  allRunsTable(
    runs,
    runs.some(({ result }) => result.window_limits_share) ? [...COLUMNS, ...VIRTUAL_COLUMNS] : COLUMNS,
  );

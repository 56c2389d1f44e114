import { meanOrNull, nearestRank } from '../../../emulation/ground/statistics/percentiles.ts';
import type { Markup } from '../../../emulation/ground/drawing/html.ts';
import { allRunsTable, percent, type RunColumn } from '../all-runs-table.ts';
import type { CellRun } from '../figures/figure.ts';
import { depthQuantile } from '../figures/statistics.ts';

const COLUMNS: readonly RunColumn<CellRun>[] = [
  ['run', ({ name, k }) => `${name}, ${k}`],
  ['utilization mean', ({ result }) => percent(result.utilization.mean)],
  ['p1, 10 RTT', ({ result }) => percent(result.utilization.p1_10rtt)],
  ['p1, 8 RTT', ({ result }) => percent(result.utilization.p1_8rtt)],
  ['p1, one RTT', ({ result }) => percent(result.utilization.p1_1rtt)],
  ['found a queue', ({ result }) => percent(result.found_queue)],
  [
    'queue p1 / p50 / p99',
    ({ result: { depths } }) =>
      [0.01, 0.5, 0.99].map((part) => depthQuantile(depths, part) ?? '').join(' / '),
  ],
  ['drops', ({ result }) => String(result.conservation.dropped)],
  ['RTTs with a loss', ({ result }) => String(result.loss_events.flows.length)],
  ['flows in one', ({ result }) => meanOrNull(result.loss_events.flows)?.toFixed(1) ?? ''],
  [
    'window at a loss / (BDP + B), median',
    ({ result }) => nearestRank(result.windows_at_loss, 0.5)?.toFixed(2) ?? '',
  ],
  ['switch late p99 (µs)', ({ result }) => result.lateness_p99_us.toFixed(0)],
  ['at most (µs)', ({ result }) => result.lateness_max_us.toFixed(0)],
  ['switch CPU', ({ result }) => percent(result.switch_cpu_share)],
  ['others (%)', ({ result }) => result.others_pct.toFixed(0)],
  ['steal (%)', ({ result }) => result.steal_pct?.toFixed(1) ?? ''],
];

export const runTable = (runs: readonly CellRun[]): Markup => allRunsTable(runs, COLUMNS);

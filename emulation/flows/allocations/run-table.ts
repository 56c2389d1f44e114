import { html, type Markup } from '../../report/page/html.ts';
import type { AllocationRun } from './read-runs.ts';

const percent = (share: number | null): string => (share === null ? '' : `${(share * 100).toFixed(1)}%`);

const COLUMNS: readonly (readonly [string, (run: AllocationRun) => string])[] = [
  ['run', ({ cell, k }) => `${cell.comparison.name}, ${k}`],
  ['treated', ({ cell }) => String(cell.treated)],
  ['utilization mean', ({ result }) => percent(result.utilization_mean)],
  ['queue p50 (packets)', ({ result }) => String(result.queue_p50_packets ?? '')],
  ['switch late p99 (µs)', ({ result }) => result.lateness_p99_us.toFixed(0)],
  ['switch CPU', ({ result }) => percent(result.switch_cpu_share)],
  ['others (%)', ({ result }) => result.others_pct.toFixed(0)],
  ['steal (%)', ({ result }) => result.steal_pct?.toFixed(1) ?? ''],
];

/** The link and the machine in every run. */
export const runTable = (runs: readonly AllocationRun[]): Markup =>
  html`<section>
    <h2>All runs</h2>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            ${COLUMNS.map(([name]) => html`<th>${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${runs.map(
            (run) =>
              html`<tr>
                ${COLUMNS.map(([, of]) => html`<td>${of(run)}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;

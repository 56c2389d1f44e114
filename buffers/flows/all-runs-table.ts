import { html, type Markup } from '../../emulation/ground/drawing/html.ts';
import { table } from '../../emulation/ground/drawing/table.ts';

/** Formats a share as a table cell; empty for null. */
export const percent = (share: number | null): string =>
  share === null ? '' : `${(share * 100).toFixed(1)}%`;

/** A column: its heading, and a function that formats the value of a run. */
export type RunColumn<Run> = readonly [string, (run: Run) => string];

/** The section of a report that has a row for every run. */
export const allRunsTable = <Run>(runs: readonly Run[], columns: readonly RunColumn<Run>[]): Markup =>
  html`<section>
    <h2>All runs</h2>
    ${table(
      columns.map(([name]) => name),
      runs.map((run) => columns.map(([, of]) => of(run))),
    )}
  </section>`;

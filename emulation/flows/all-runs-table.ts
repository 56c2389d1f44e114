import { html, type Markup } from '../drawing/html.ts';

/** A share as a cell of a table has it; empty where there is none. */
export const percent = (share: number | null): string =>
  share === null ? '' : `${(share * 100).toFixed(1)}%`;

/** A column: its head, and what a run has there. */
export type RunColumn<Run> = readonly [string, (run: Run) => string];

/** The section of a report that has a row for every run. */
export const allRunsTable = <Run>(
  runs: readonly Run[],
  columns: readonly RunColumn<Run>[],
  title = 'All runs',
): Markup =>
  html`<section>
    <h2>${title}</h2>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            ${columns.map(([name]) => html`<th>${name}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${runs.map(
            (run) =>
              html`<tr>
                ${columns.map(([, of]) => html`<td>${of(run)}</td>`)}
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
  </section>`;

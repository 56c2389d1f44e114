import type { RunRecord } from '../../../player/session/run-record.ts';
import { cellsOf } from '../../../player/session/cells.ts';
import { conditionsOf, type ReportData } from '../report-data.ts';
import { spread } from '../../../ground/drawing/format.ts';
import { describeLink } from './header.ts';
import { html, type Markup } from '../../../ground/drawing/html.ts';

/** What the emulated links were measured to do before each run, beside what they were asked for. */
export function calibration({ manifest, records }: ReportData): Markup {
  const { experiment, removed } = manifest;
  const cellsUnder = (name: string | undefined) =>
    new Set(
      cellsOf(experiment)
        .filter(({ condition }) => condition?.name === name)
        .map((cell) => cell.name),
    );
  const rows = conditionsOf(experiment).map((condition) => ({
    link: condition?.link ?? experiment.link,
    name: condition?.name,
    runs: records.filter((run) => run.condition === condition?.name),
    rejected: removed.filter(({ cell }) => cellsUnder(condition?.name).has(cell)).length,
  }));
  return html`<section>
    <h2>Calibration</h2>
    <p class="note">
      Before every run the idle link is probed from end to end. A run whose round-trip time or rate was out of
      tolerance, or that failed, is repeated and never averaged in. Median over the valid runs, with the least
      and the most.
    </p>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            ${experiment.conditions && html`<th scope="col">condition</th>`}
            <th scope="col" class="name">link asked for</th>
            <th scope="col">RTT measured, ms</th>
            <th scope="col">rate measured, Mbit/s</th>
            <th scope="col">valid runs</th>
            <th scope="col">repeated runs</th>
            <th scope="col">machine busy, %</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map(
            ({ name, link, runs, rejected }) =>
              html`<tr>
                ${name === undefined ? undefined : html`<th scope="row">${name}</th>`}
                <td class="name">${describeLink(link)}</td>
                <td>${spread(runs.map((run) => run.calibration.rtt_ms))}</td>
                <td>${spread(runs.flatMap((run: RunRecord) => run.calibration.rate_mbps ?? []))}</td>
                <td>${runs.length}</td>
                <td>${rejected}</td>
                <td>${spread(runs.map((run) => run.machine_busy_pct))}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>
    ${
      removed.length === 0
        ? undefined
        : html`<details>
            <summary>Why runs were repeated (${removed.length})</summary>
            <ul>
              ${removed.map(({ cell, k, reason }) => html`<li>${cell}, run ${k}: ${reason}</li>`)}
            </ul>
          </details>`
    }
    ${warnings(records)}
  </section>`;
}

function warnings(records: readonly RunRecord[]): Markup | undefined {
  const given = records.flatMap((run) => run.warnings);
  if (given.length === 0) return undefined;
  return html`<details>
    <summary>Warnings of the plug-in (${given.length})</summary>
    <ul>
      ${[...new Set(given)].map(
        (warning) => html`<li>${given.filter((each) => each === warning).length} × ${warning}</li>`,
      )}
    </ul>
  </details>`;
}

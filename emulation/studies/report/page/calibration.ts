import type { RunRecord } from '../../../player/records/run-record.ts';
import { listCells } from '../../../player/records/cells.ts';
import { listConditions, type ReportData } from '../report-data.ts';
import { areSimulated } from '../observations.ts';
import { spread } from '../../../ground/drawing/format.ts';
import { describeLink } from './describe-link.ts';
import { html, type Markup } from '../../../ground/drawing/html.ts';
import { table } from '../../../ground/drawing/table.ts';

/** The measured properties of the emulated links before each run, next to the requested ones. */
export function calibration({ manifest, records }: ReportData): Markup {
  const { experiment, removed } = manifest;
  const cellsUnder = (name: string | undefined) =>
    new Set(
      listCells(experiment)
        .filter(({ condition }) => condition?.name === name)
        .map((cell) => cell.name),
    );
  const rows = listConditions(experiment).map((condition) => ({
    link: condition?.link ?? experiment.link,
    name: condition?.name,
    runs: records.filter((run) => run.condition === condition?.name),
    rejected: removed.filter(({ cell }) => cellsUnder(condition?.name).has(cell)).length,
  }));
  if (areSimulated(records)) {
    return html`<section>
      <h2>Calibration</h2>
      <p class="note">None: a virtual link is exactly as requested, and the machine has no influence.</p>
      ${table(
        [...(experiment.conditions ? ['condition'] : []), 'link', 'RTT of the idle link, ms', 'runs'],
        rows.map(({ name, link, runs }) => [
          ...(name === undefined ? [] : [name]),
          describeLink(link),
          spread(runs.map((run) => run.calibration.rtt_ms)),
          runs.length,
        ]),
        { names: [experiment.conditions ? 1 : 0] },
      )}
      ${warnings(records)}
    </section>`;
  }
  return html`<section>
    <h2>Calibration</h2>
    <p class="note">
      Before every run the idle link is probed from end to end. A run whose round-trip time or rate was out of
      tolerance, or that failed, is repeated and never averaged in. Median over the valid runs, with the least
      and the most.
    </p>
    ${table(
      [
        ...(experiment.conditions ? ['condition'] : []),
        ...['link asked for', 'RTT measured, ms', 'rate measured, Mbit/s', 'valid runs', 'repeated runs'],
        'machine busy, %',
      ],
      rows.map(({ name, link, runs, rejected }) => [
        ...(name === undefined ? [] : [name]),
        describeLink(link),
        spread(runs.map((run) => run.calibration.rtt_ms)),
        spread(runs.flatMap((run) => run.calibration.rate_mbps ?? [])),
        runs.length,
        rejected,
        spread(runs.map((run) => run.machine_busy_pct)),
      ]),
      { names: [experiment.conditions ? 1 : 0] },
    )}
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

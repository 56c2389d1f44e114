import { MARGINS_TEXT } from '../../../player/session/margins.ts';
import { PARTS, PARTED } from '../parts.ts';
import { metricNamed, type ReportData } from '../report-data.ts';
import type { PartComparison } from '../summary.ts';
import { verdictOf } from '../verdict.ts';
import { grouped } from '../../../ground/statistics/grouped.ts';
import { html, type Markup } from '../../../ground/drawing/html.ts';
import { pairedText } from './paired-table.ts';

/** Which part of an arm's difference is pacing's, and which is not; undefined where the arms do not show it. */
export function partsTable(data: ReportData): Markup | undefined {
  const { parts = [] } = data.summary;
  if (parts.length === 0) return undefined;
  const metrics = PARTED.filter((metric) => parts.some((each) => each.metric === metric));
  return html`<section>
    <h2>Whose part it is</h2>
    <p class="note">
      Sammy's arms have dash.js's fast switch off, choose the rungs themselves, and pace. From one row to the
      next one of the three changes: stock dash.js without fast switch against stock; the same choice of rungs
      without a pace against that; the arm against this. The first three add up to the fourth. Not worse: with
      the whole 95% interval worse by no more than the margin, which was stated before (${MARGINS_TEXT}).
    </p>
    <div class="scroll">
      <table class="verdicts">
        <thead>
          <tr>
            <th scope="col">arm</th>
            <th scope="col" class="name">part</th>
            ${metrics.map((metric) => html`<th scope="col">${metricNamed(metric).label}</th>`)}
          </tr>
        </thead>
        <tbody>
          ${[...grouped(parts, ({ arm }) => arm)].map(([arm, own]) =>
            PARTS.map(
              (part) =>
                html`<tr>
                  <th scope="row">${arm}</th>
                  <td class="name">${part}</td>
                  ${metrics.map((metric) =>
                    cell(
                      data,
                      own.find((each) => each.part === part && each.metric === metric),
                    ),
                  )}
                </tr>`,
            ),
          )}
        </tbody>
      </table>
    </div>
  </section>`;
}

const cell = (data: ReportData, comparison: PartComparison | undefined): Markup =>
  comparison
    ? html`<td>${pairedText(comparison)}<span class="word">${verdictOf(data, comparison)}</span></td>`
    : html`<td>–</td>`;

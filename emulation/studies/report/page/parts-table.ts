import { VERDICT_WORDS } from '../../../player/records/margins.ts';
import { PARTS, PARTED } from '../parts.ts';
import { metricNamed, type ReportData } from '../report-data.ts';
import { decideVerdict } from '../verdict.ts';
import { groupBy } from '../../../ground/statistics/grouped.ts';
import { html, type Markup } from '../../../ground/drawing/html.ts';
import { table } from '../../../ground/drawing/table.ts';
import { pairedText } from './paired-table.ts';

/**
 * Shows how much of an arm's difference is due to pacing, to the choice of rungs, and to fast switch; undefined if the
 * experiment does not have the arms for that.
 */
export function partsTable(data: ReportData): Markup | undefined {
  const { parts = [] } = data.summary;
  if (parts.length === 0) return undefined;
  const metrics = PARTED.filter((metric) => parts.some((each) => each.metric === metric));
  return html`<section>
    <h2>Whose part it is</h2>
    <p class="note">
      Sammy's arms have dash.js's fast switch off, choose the rungs themselves, and pace. From one row to the
      next one of the three changes: stock dash.js without fast switch against stock; the same choice of rungs
      without a pace against that; the arm against this. The first three add up to the fourth.
      ${VERDICT_WORDS}
    </p>
    ${table(
      ['arm', 'part', ...metrics.map((metric) => metricNamed(metric).label)],
      [...groupBy(parts, ({ arm }) => arm)].flatMap(([arm, own]) =>
        PARTS.map((part) => [
          ...[arm, part],
          ...metrics.map((metric) => {
            const found = own.find((each) => each.part === part && each.metric === metric);
            return found
              ? html`${pairedText(found)}<span class="word">${decideVerdict(data, found)}</span>`
              : '–';
          }),
        ]),
      ),
      { names: [1], kind: 'verdicts' },
    )}
  </section>`;
}

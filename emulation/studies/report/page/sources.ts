import { LEAST_FOR_INTERVAL, RESAMPLES } from '../../../ground/statistics/bootstrap.ts';
import type { Figure } from '../../../ground/drawing/figure.ts';
import type { ReportData } from '../report-data.ts';
import { coverageText } from '../../../ground/drawing/format.ts';
import { html, type Markup } from '../../../ground/drawing/html.ts';

/** Lists how the report was made, and from which files. */
export function sources({ manifest }: ReportData, figures: readonly Figure[]): Markup {
  const kinds = [
    ...new Map(figures.map(({ source }, index) => [source, figureNumbers(figures, source, index)])),
  ];
  return html`<section>
    <h2>How this was made</h2>
    <ul>
      ${kinds.map(([source, numbers]) => html`<li>${numbers}: ${source}</li>`)}
      <li>
        Intervals: percentile bootstrap, ${RESAMPLES.toLocaleString('en-US')} resamples of the runs, seed
        ${manifest.seed}; none for fewer than ${LEAST_FOR_INTERVAL} runs.
        ${[3, 4, 5].map((n) => `Of ${n} runs it holds the true median in ${coverageText(n)} of cases at most. `)}
      </li>
      <li>
        Changes: of the median of an arm's runs against the median of the control's under the same condition,
        both resampled for the interval. Runs in virtual time are resampled in pairs, since run k begins at
        the same position in every arm.
      </li>
      <li>Paper: Sammy (SIGCOMM 2023); each value names its section, figure or table.</li>
      <li>All numbers: <code>summary.json</code>; all runs: <code>runs/</code>, beside this file.</li>
    </ul>
  </section>`;
}

function figureNumbers(figures: readonly Figure[], source: string, first: number): string {
  const last = figures.findLastIndex((figure) => figure.source === source);
  return first < last ? `Figures ${first + 1} to ${last + 1}` : `Figure ${last + 1}`;
}

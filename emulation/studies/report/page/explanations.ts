import { EXPLAINED } from '../../../player/records/explained.ts';
import { html, type Markup } from '../../../ground/drawing/html.ts';
import { axisLabel, measuredMetrics, type ReportData } from '../report-data.ts';

/** The definitions of all metrics in the report. */
export const explanations = (data: ReportData): Markup =>
  html`<section>
    <h2>Definitions</h2>
    <dl class="explained">
      ${measuredMetrics(data).map(
        (metric) =>
          html`<div>
            <dt>${axisLabel(metric)}<br /><code>${metric}</code></dt>
            <dd>${EXPLAINED[metric]}</dd>
          </div>`,
      )}
    </dl>
  </section>`;

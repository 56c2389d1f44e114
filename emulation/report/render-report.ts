import { readFileSync } from 'node:fs';
import { figuresOf } from './figures.ts';
import { calibration } from './page/calibration.ts';
import { figureSection } from './page/figure-section.ts';
import { header } from './page/header.ts';
import { html, Markup } from './page/html.ts';
import { metricTables } from './page/metric-tables.ts';
import { pairedTable } from './page/paired-table.ts';
import { sources } from './page/sources.ts';
import { verdictTable } from './page/verdict-table.ts';
import type { ReportData } from './report-data.ts';

const style = new Markup(readFileSync(new URL('page/style.css', import.meta.url), 'utf8'));

/** The whole of report.html: one page that asks for nothing else, with static pictures and no script. */
export function renderReport(data: ReportData): string {
  const { experiment } = data.manifest;
  const figures = figuresOf(data);
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${experiment.name} · dashjs-sammy lab</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <main>
          ${header(data)} ${verdictTable(data)}
          ${figures.map((figure, index) => figureSection(figure, index + 1))} ${pairedTable(data)}
          ${metricTables(data)} ${calibration(data)} ${sources(data, figures)}
        </main>
      </body>
    </html> `.text;
}

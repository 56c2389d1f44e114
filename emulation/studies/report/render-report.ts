import { figuresOf } from './figures.ts';
import { calibration } from './page/calibration.ts';
import { document } from '../../ground/drawing/document.ts';
import { figureSection } from '../../ground/drawing/figure-section.ts';
import { explanations } from './page/explanations.ts';
import { header, howItWasRun } from './page/header.ts';
import { html } from '../../ground/drawing/html.ts';
import { machine } from './page/machine.ts';
import { metricTables } from './page/metric-tables.ts';
import { pairedTable } from './page/paired-table.ts';
import { partsTable } from './page/parts-table.ts';
import { sources } from './page/sources.ts';
import { verdictTable } from './page/verdict-table.ts';
import type { ReportData } from './report-data.ts';

/** The whole of report.html: one page that asks for nothing else, with static pictures and no script. */
export function renderReport(data: ReportData): string {
  const { experiment } = data.manifest;
  const figures = figuresOf(data);
  const [first, ...others] = figures.map((figure, index) => figureSection(figure, index + 1));
  return document(
    experiment.name,
    html`${header(data)} ${first} ${verdictTable(data)} ${partsTable(data)} ${others} ${pairedTable(data)}
    ${metricTables(data)} ${explanations(data)} ${howItWasRun(data)} ${calibration(data)} ${machine(data)}
    ${sources(data, figures)}`,
  );
}

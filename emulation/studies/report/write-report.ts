import { join } from 'node:path';
import { cellName, type RunRecord } from '../../player/records/run-record.ts';
import { withAvoidable } from './avoidable.ts';
import { listCells } from '../../player/records/cells.ts';
import { keepObservations } from './observations.ts';
import { readSessionManifest, type SessionManifest } from '../../player/records/session-manifest.ts';
import { readRuns, runFolder } from '../../player/records/read-runs.ts';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import type { ReportData } from './report-data.ts';
import { readRepresentatives } from './representative.ts';
import { summarize, type Summary } from './summary.ts';
import { givenUpSentences } from './given-up.ts';
import { sentences } from './sentence.ts';
import { makeFigures } from './figures.ts';
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

/**
 * Writes `summary.json` and `report.html` of the results in `outDir`, whether or not the experiment is finished. If a
 * file is invalid, throws an Error that names it, and writes nothing.
 */
export function writeReport(outDir: string): Summary {
  const data = readReportData(outDir);
  replaceFiles(outDir, { 'summary.json': asJson(data.summary), 'report.html': renderReport(data) });
  return data.summary;
}

/** Reads all data for the report. Throws an Error that names the file if one is invalid. */
export function readReportData(outDir: string): ReportData {
  const manifest = readSessionManifest(outDir);
  const records = withAvoidable(readRuns(outDir));
  for (const run of records) checkPlanned(run, manifest, outDir);
  const summary = summarize(manifest.experiment, keepObservations(records), manifest.seed);
  const series = readRepresentatives(outDir, manifest.experiment, records);
  return { manifest, records, summary, series };
}

/**
 * Throws an Error for a run that does not belong to the experiment, because its length differs or its cell is not
 * planned.
 */
function checkPlanned(run: RunRecord, { experiment }: SessionManifest, outDir: string): void {
  const { seconds } = experiment;
  const file = join(runFolder(outDir, run), 'session.json');
  if (run.seconds !== seconds)
    throw new Error(`${file}: a session of ${run.seconds} s in an experiment of ${seconds} s`);
  const cell = cellName(run.arm, run.condition);
  if (!listCells(experiment).some(({ name }) => name === cell))
    throw new Error(`${file}: the experiment has no cell '${cell}'`);
}

/**
 * The results of a study of sessions in `outDir`: a sentence for each treatment and for each arm whose players gave up,
 * and the path of the report.
 */
export function answerLines(outDir: string): string[] {
  const data = readReportData(outDir);
  return [...sentences(data), ...givenUpSentences(data), `${outDir}/report.html`];
}

/** Renders report.html as a self-contained page with static figures and no script. */
export function renderReport(data: ReportData): string {
  const { experiment } = data.manifest;
  const figures = makeFigures(data);
  const [first, ...others] = figures.map((figure, index) => figureSection(figure, index + 1));
  return document(
    experiment.name,
    html`${header(data)} ${first} ${verdictTable(data)} ${partsTable(data)} ${others} ${pairedTable(data)}
    ${metricTables(data)} ${explanations(data)} ${howItWasRun(data)} ${calibration(data)} ${machine(data)}
    ${sources(data, figures)}`,
  );
}

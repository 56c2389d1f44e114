import { join } from 'node:path';
import { cellName, type RunRecord } from '../../player/session/run-record.ts';
import { withAvoidable } from './avoidable.ts';
import { cellsOf } from '../../player/session/cells.ts';
import { observationsOf } from './observations.ts';
import { readSessionManifest, type SessionManifest } from '../../player/session/session-manifest.ts';
import { readRuns, runFolder } from '../../player/session/read-runs.ts';
import { renderReport } from './render-report.ts';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import type { ReportData } from './report-data.ts';
import { readRepresentatives } from './representative.ts';
import { summarize, type Summary } from './summary.ts';

/**
 * Reads what an experiment left in `outDir`, finished or not, and writes `summary.json` and `report.html` into it.
 * Throws an Error that names the file when one of them is broken, and then writes nothing.
 */
export function writeReport(outDir: string): Summary {
  const data = readReportData(outDir);
  replaceFiles(outDir, { 'summary.json': asJson(data.summary), 'report.html': renderReport(data) });
  return data.summary;
}

/** All that the report is made of. Throws an Error that names the file when one of them is broken. */
export function readReportData(outDir: string): ReportData {
  const manifest = readSessionManifest(outDir);
  const records = withAvoidable(readRuns(outDir));
  for (const run of records) checkPlanned(run, manifest, outDir);
  const summary = summarize(manifest.experiment, observationsOf(records), manifest.seed);
  const series = readRepresentatives(outDir, manifest.experiment, records);
  return { manifest, records, summary, series };
}

/** A run of another length, or of a cell that the experiment has not, came from somewhere else. */
function checkPlanned(run: RunRecord, { experiment }: SessionManifest, outDir: string): void {
  const { seconds } = experiment;
  const file = join(runFolder(outDir, run), 'session.json');
  if (run.seconds !== seconds)
    throw new Error(`${file}: a session of ${run.seconds} s in an experiment of ${seconds} s`);
  const cell = cellName(run.arm, run.condition);
  if (!cellsOf(experiment).some(({ name }) => name === cell))
    throw new Error(`${file}: the experiment has no cell '${cell}'`);
}

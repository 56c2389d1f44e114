import { readSessionManifest } from './manifest.ts';
import { readRuns } from './read-runs.ts';
import { renderReport } from './render-report.ts';
import { asJson, replaceFiles } from '../../system/replace-files.ts';
import type { ReportData } from './report-data.ts';
import { readRepresentatives } from './representative.ts';
import { summarize, type Summary } from './statistics/summary.ts';

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
  const records = readRuns(outDir);
  const summary = summarize(manifest.experiment, records, manifest.seed);
  const series = readRepresentatives(outDir, manifest.experiment, records);
  return { manifest, records, summary, series };
}

import { readSessionManifest } from './manifest.ts';
import { readRuns } from './read-runs.ts';
import { renderReport } from './render-report.ts';
import { asJson, replaceFiles } from '../../system/replace-files.ts';
import { readRepresentatives } from './representative.ts';
import { summarize, type Summary } from './statistics/summary.ts';

/**
 * Reads what an experiment left in `outDir`, finished or not, and writes `summary.json` and `report.html` into it.
 * Throws an Error that names the file when one of them is broken, and then writes nothing.
 */
export function writeReport(outDir: string): Summary {
  const manifest = readSessionManifest(outDir);
  const records = readRuns(outDir);
  const summary = summarize(manifest.experiment, records, manifest.seed);
  const series = readRepresentatives(outDir, manifest.experiment, records);
  const report = renderReport({ manifest, records, summary, series });
  replaceFiles(outDir, { 'summary.json': asJson(summary), 'report.html': report });
  return summary;
}

import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readManifest } from './manifest.ts';
import { readRuns } from './read-runs.ts';
import { renderReport } from './render-report.ts';
import { readRepresentatives } from './representative.ts';
import { summarize, type Summary } from './summary.ts';

/**
 * Reads what an experiment left in `outDir`, finished or not, and writes `summary.json` and `report.html` into it.
 * Throws an Error that names the file when one of them is broken, and then writes nothing.
 */
export function writeReport(outDir: string): Summary {
  const manifest = readManifest(outDir);
  const records = readRuns(outDir);
  const summary = summarize(manifest.experiment, records, manifest.seed);
  const series = readRepresentatives(outDir, manifest.experiment, records);
  const report = renderReport({ manifest, records, summary, series });
  replaceFile(join(outDir, 'summary.json'), `${JSON.stringify(summary, null, 2)}\n`);
  replaceFile(join(outDir, 'report.html'), report);
  return summary;
}

/** Whoever reads the file sees the old one or the new one, whole. */
function replaceFile(file: string, content: string): void {
  const temporary = `${file}.${process.pid}.tmp`;
  try {
    writeFileSync(temporary, content);
    renameSync(temporary, file);
  } catch (error) {
    rmSync(temporary, { force: true });
    throw error;
  }
}

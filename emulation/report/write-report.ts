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
  replaceFiles(outDir, { 'summary.json': `${JSON.stringify(summary, null, 2)}\n`, 'report.html': report });
  return summary;
}

/** Whoever reads them sees the old ones or the new ones, whole; a full disk leaves the old ones. */
function replaceFiles(folder: string, contents: Readonly<Record<string, string>>): void {
  const files = Object.entries(contents).map(([name, content]) => {
    const file = join(folder, name);
    return { file, temporary: `${file}.${process.pid}.tmp`, content };
  });
  try {
    for (const { temporary, content } of files) writeFileSync(temporary, content);
    for (const { temporary, file } of files) renameSync(temporary, file);
  } finally {
    for (const { temporary } of files) rmSync(temporary, { force: true });
  }
}

import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { asJson, replaceFiles } from '../../system/replace-files.ts';
import { readResults } from '../flows/read-flows.ts';
import { flowFiguresOf } from '../flows/write-buffer-report.ts';
import { asFields } from '../report/check.ts';
import type { Figure } from '../report/figure.ts';
import { figuresOf } from '../report/figures.ts';
import { readJson } from '../report/read-json.ts';
import { readReportData } from '../report/write-report.ts';
import { checkAnySettings, hasManifest, readManifest } from '../runs/manifest.ts';
import { chapters, type Chapter } from './paper.ts';
import { standaloneSvg } from './standalone-svg.ts';
import { flowTable, sessionTable, sourceLine } from './tables.ts';

/**
 * Writes `tables/NAME.md`, `figures/NAME-N-M.svg` and `manifest.json` from the chapters that are in `outDir`, finished or
 * not, and returns the tables by name.
 */
export function writePaper(outDir: string): Record<string, string> {
  const written = chapters.filter(({ name }) => hasManifest(join(outDir, name)));
  const folders = { tables: join(outDir, 'tables'), figures: join(outDir, 'figures') };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true });
  const tables: Record<string, string> = {};
  for (const chapter of written) {
    const { table, figures } = exhibitsOf(chapter, join(outDir, chapter.name));
    tables[chapter.name] = table;
    replaceFiles(folders.tables, { [`${chapter.name}.md`]: `${table}\n` });
    replaceFiles(folders.figures, svgsOf(chapter.name, figures));
  }
  const parts = written.map(({ name }) => {
    const { plan, ...manifest } = readManifest(join(outDir, name), checkAnySettings);
    return { ...manifest, planned: plan?.length };
  });
  replaceFiles(outDir, {
    'manifest.json': asJson({ paper: true, commits: [...new Set(parts.map(({ commit }) => commit))], parts }),
  });
  return tables;
}

/** Whether `run paper` was run into this folder. Throws an Error that names a manifest that is broken. */
export function isPaper(outDir: string): boolean {
  return !hasManifest(outDir)
    ? chapters.some(({ name }) => hasManifest(join(outDir, name)))
    : readJson(join(outDir, 'manifest.json'), (value) => asFields(value, 'a manifest').paper === true);
}

function exhibitsOf(
  { name, metrics }: Chapter,
  folder: string,
): { table: string; figures: readonly Figure[] } {
  const of = (manifest: Parameters<typeof sourceLine>[0], table: string) =>
    `${table}\n\n${sourceLine(manifest)}`;
  if (!metrics) {
    const results = readResults(folder);
    const manifest = readManifest(folder, checkAnySettings);
    return { table: of(manifest, flowTable(results)), figures: flowFiguresOf(folder, results) };
  }
  const data = readReportData(folder);
  if (data.manifest.experiment.name !== name) throw new Error(`${folder} has results of another experiment`);
  return { table: of(data.manifest, sessionTable(data, metrics)), figures: figuresOf(data) };
}

const svgsOf = (name: string, figures: readonly Figure[]): Record<string, string> =>
  Object.fromEntries(
    figures.flatMap(({ charts }, figure) =>
      charts.flatMap((chart, index) => {
        const svg = standaloneSvg(chart);
        return svg === undefined ? [] : [[`${name}-${figure + 1}-${index + 1}.svg`, svg]];
      }),
    ),
  );

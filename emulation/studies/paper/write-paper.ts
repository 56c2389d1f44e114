import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { readResults } from '../../../buffers/flows/single/run-files.ts';
import { flowFiguresOf } from '../../../buffers/flows/single/write-report.ts';
import { asFields } from '../../ground/files/check.ts';
import type { Exhibit } from '../../ground/drawing/exhibit.ts';
import type { Figure } from '../../ground/drawing/figure.ts';
import { figuresOf } from '../report/figures.ts';
import { readJson } from '../../ground/files/read-json.ts';
import { readReportData } from '../report/write-report.ts';
import type { RunRecord } from '../../player/session/run-record.ts';
import { checkAnySettings, hasManifest, readManifest } from '../../harness/runs/manifest.ts';
import { chapters, type Chapter } from './paper.ts';
import { standaloneSvg } from '../../ground/drawing/standalone-svg.ts';
import { flowTable, sessionTable, sourceLine } from './tables.ts';

/**
 * Writes `tables/NAME.md`, `figures/NAME-N-M.svg` and `manifest.json` from the chapters that are in `outDir`, finished or
 * not, and returns what the log shows of them.
 */
export function writePaper(outDir: string): Exhibit[] {
  const written = chapters.filter(({ name }) => hasManifest(join(outDir, name)));
  const folders = { tables: join(outDir, 'tables'), figures: join(outDir, 'figures') };
  for (const folder of Object.values(folders)) mkdirSync(folder, { recursive: true });
  const exhibits = written.map((chapter): Exhibit => {
    const { name, shows } = chapter;
    const { table, figures } = exhibitsOf(chapter, join(outDir, name));
    replaceFiles(folders.tables, { [`${name}.md`]: `${table}\n` });
    const svgs = figures.map((figure, index) => svgsOf(`${name}-${index + 1}`, figure));
    for (const each of svgs) replaceFiles(folders.figures, each);
    const shown = figures.findIndex(({ title }) => shows === undefined || title === shows);
    return { name, table, figure: figures[shown], pictures: Object.keys(svgs[shown] ?? {}) };
  });
  const parts = written.map(({ name }) => {
    const { plan, ...manifest } = readManifest(join(outDir, name), checkAnySettings);
    return { ...manifest, planned: plan?.length };
  });
  replaceFiles(outDir, {
    'manifest.json': asJson({ paper: true, commits: [...new Set(parts.map(({ commit }) => commit))], parts }),
  });
  return exhibits;
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
  const of = (
    manifest: Parameters<typeof sourceLine>[0],
    table: string,
    records: readonly RunRecord[] = [],
  ) => `${table}\n\n${sourceLine(manifest, records)}`;
  if (!metrics) {
    const results = readResults(folder);
    const manifest = readManifest(folder, checkAnySettings);
    return { table: of(manifest, flowTable(results)), figures: flowFiguresOf(folder, results) };
  }
  const data = readReportData(folder);
  if (data.manifest.experiment.name !== name) throw new Error(`${folder} has results of another experiment`);
  return { table: of(data.manifest, sessionTable(data, metrics), data.records), figures: figuresOf(data) };
}

const svgsOf = (name: string, { charts, legend }: Figure): Record<string, string> =>
  Object.fromEntries(
    charts.flatMap((chart, index) => {
      const svg = standaloneSvg(chart, legend);
      return svg === undefined ? [] : [[`${name}-${index + 1}.svg`, svg]];
    }),
  );

import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FormatConfig } from 'oxfmt';
import { replaceFiles } from '../../../system/replace-files.ts';
import type { Exhibit } from '../../ground/drawing/figure.ts';
import { withoutPlaces } from '../../harness/runs/manifest.ts';

/**
 * The pages of the log that show a paper's tables, and the folder for their figures. That folder contains only the
 * figures and a manifest.
 */
export interface Log {
  readonly pages: readonly string[];
  readonly figures: string;
}

const path = (inProject: string): string => fileURLToPath(new URL(`../../../${inProject}`, import.meta.url));

/** The log of Updating the Theory of Buffer Sizing. */
export const BUFFER_LOG: Log = {
  pages: [path('docs/results/log/buffer-paper.md')],
  figures: path('buffers/flows/pictures'),
};

/**
 * Inserts the tables and figures of a paper's folder between the markers of the log's pages, and copies the figures
 * with a manifest of how they were made. All files are formatted like the project's files, and contain no paths of this
 * machine.
 */
export async function fillLog(
  { pages, figures }: Log,
  exhibits: readonly Exhibit[],
  outDir: string,
): Promise<void> {
  const { format } = await import('oxfmt');
  const options = JSON.parse(readFileSync(path('.oxfmtrc.json'), 'utf8')) as FormatConfig;
  const tidy = async (file: string, text: string) => (await format(file, text, options)).code;
  const filled = (page: string) => {
    const into = relative(dirname(page), figures).replaceAll('\\', '/');
    return fillMarkers(
      readFileSync(page, 'utf8'),
      Object.fromEntries(exhibits.map((exhibit) => [exhibit.name, shown(exhibit, into)])),
    );
  };
  const manifest = join(figures, 'manifest.json');
  const parts = readFileSync(join(outDir, 'manifest.json'), 'utf8').replace(
    /("command": )("(?:[^"\\\\]|\\\\.)*")/g,
    (_, name: string, command: string) =>
      `${name}${JSON.stringify(withoutPlaces(JSON.parse(command) as string))}`,
  );
  const tidied = await tidy(manifest, parts);
  const texts = await Promise.all(pages.map((page) => tidy(page, filled(page))));
  mkdirSync(figures, { recursive: true });
  for (const old of readdirSync(figures)) if (old.endsWith('.svg')) rmSync(join(figures, old));
  for (const picture of exhibits.flatMap(({ pictures }) => pictures))
    copyFileSync(join(outDir, 'figures', picture), join(figures, picture));
  writeFileSync(manifest, tidied);
  pages.forEach((page, index) => replaceFiles(dirname(page), { [basename(page)]: texts[index] ?? '' }));
}

function shown({ table, figure, pictures }: Exhibit, into: string): string {
  if (!figure || pictures.length === 0) return table;
  const images = pictures.map((picture) => `![${figure.title}](${into}/${picture})`);
  return `${table}\n\n${images.join('\n')}\n\n${figure.title}. ${figure.caption}`;
}

/** Replaces the text between markers such as `<!-- table:single -->` and `<!-- /table:single -->`. */
function fillMarkers(text: string, tables: Readonly<Record<string, string>>): string {
  return Object.entries(tables).reduce((filled, [name, content]) => {
    const [begin, end] = [`<!-- table:${name} -->`, `<!-- /table:${name} -->`];
    const [from, to] = [filled.indexOf(begin), filled.indexOf(end)];
    if (from < 0) return filled;
    if (to < from) throw new Error(`${begin} has no ${end} after it`);
    return `${filled.slice(0, from + begin.length)}\n\n${content.trim()}\n\n${filled.slice(to)}`;
  }, text);
}

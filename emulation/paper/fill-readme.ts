import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import type { Options } from 'prettier';
import { replaceFiles } from '../../system/replace-files.ts';
import type { Exhibit } from '../drawing/exhibit.ts';
import { withoutPlaces } from '../runs/manifest.ts';
import { fillMarkers } from './markers.ts';

/** The folder of Sammy's pictures and their manifest, relative to MEASURED.md. */
export const SAMMY_FIGURES = 'paper/figures';
/** That of the pictures of Updating the Theory of Buffer Sizing, relative to README.md. */
export const BUFFER_FIGURES = 'flows/pictures';

/**
 * Puts tables and pictures of a paper's folder between the markers of a Markdown file, and copies the pictures, and the manifest
 * that says what made them, into `into`, a folder beside it that has nothing else. All files are formatted as the project's are, and contain no paths of this machine.
 */
export async function fillReadme(
  readme: string,
  exhibits: readonly Exhibit[],
  outDir: string,
  into: string,
): Promise<void> {
  const { format, resolveConfig } = await import('prettier');
  const folder = join(readme, '..');
  const figures = join(folder, into);
  const tidy = async (file: string, text: string, as: Pick<Options, 'parser'>) =>
    format(text, { ...(await resolveConfig(file)), ...as });
  const filled = fillMarkers(
    readFileSync(readme, 'utf8'),
    Object.fromEntries(exhibits.map((exhibit) => [exhibit.name, shown(exhibit, into)])),
  );
  const manifest = join(figures, 'manifest.json');
  const parts = readFileSync(join(outDir, 'manifest.json'), 'utf8').replace(
    /("command": )("(?:[^"\\\\]|\\\\.)*")/g,
    (_, name: string, command: string) =>
      `${name}${JSON.stringify(withoutPlaces(JSON.parse(command) as string))}`,
  );
  const texts = {
    readme: await tidy(readme, filled, { parser: 'markdown' }),
    manifest: await tidy(manifest, parts, { parser: 'json' }),
  };
  mkdirSync(figures, { recursive: true });
  for (const old of readdirSync(figures)) if (old.endsWith('.svg')) rmSync(join(figures, old));
  for (const picture of exhibits.flatMap(({ pictures }) => pictures))
    copyFileSync(join(outDir, 'figures', picture), join(figures, picture));
  writeFileSync(manifest, texts.manifest);
  replaceFiles(folder, { [basename(readme)]: texts.readme });
}

function shown({ table, figure, pictures }: Exhibit, into: string): string {
  if (!figure || pictures.length === 0) return table;
  const images = pictures.map((picture) => `![${figure.title}](${into}/${picture})`);
  return `${table}\n\n${images.join('\n')}\n\n${figure.title}. ${figure.caption}`;
}

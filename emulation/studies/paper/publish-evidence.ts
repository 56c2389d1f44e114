import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FormatConfig } from 'oxfmt';
import { replaceFiles } from '../../../system/replace-files.ts';
import { EVIDENCE_FOLDER } from './write-evidence.ts';

const inProject = (path: string): string => fileURLToPath(new URL(`../../../${path}`, import.meta.url));

/** The committed evidence, from which the gallery is generated. */
export const COMMITTED_EVIDENCE = inProject('docs/results/evidence');

/** Copies a folder's evidence into the documentation, formatted as the project's files are. */
export async function publishEvidence(outDir: string): Promise<void> {
  const { format } = await import('oxfmt');
  const options = JSON.parse(readFileSync(inProject('.oxfmtrc.json'), 'utf8')) as FormatConfig;
  const folder = join(outDir, EVIDENCE_FOLDER);
  mkdirSync(COMMITTED_EVIDENCE, { recursive: true });
  for (const name of readdirSync(folder)) {
    const { code } = await format(
      join(COMMITTED_EVIDENCE, name),
      readFileSync(join(folder, name), 'utf8'),
      options,
    );
    replaceFiles(COMMITTED_EVIDENCE, { [name]: code });
  }
}

import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { FormatConfig } from 'oxfmt';
import { asJson, replaceFiles } from '../../../system/replace-files.ts';
import { readEvidence } from './claims/evidence.ts';
import { COMMITTED_EVIDENCE, COMMITTED_VERDICTS } from './committed-evidence.ts';
import { EVIDENCE_FOLDER, computeVerdicts } from './write-evidence.ts';

const STYLE = fileURLToPath(new URL('../../../.oxfmtrc.json', import.meta.url));

/**
 * Copies a folder's evidence into the documentation, keeps the evidence of other measurements, and writes the verdicts
 * from all evidence. The files are formatted like the project's files.
 */
export async function publishEvidence(outDir: string): Promise<void> {
  const { format } = await import('oxfmt');
  const style = JSON.parse(readFileSync(STYLE, 'utf8')) as FormatConfig;
  const write = async (file: string, text: string) =>
    replaceFiles(dirname(file), { [basename(file)]: (await format(file, text, style)).code });
  const folder = join(outDir, EVIDENCE_FOLDER);
  mkdirSync(COMMITTED_EVIDENCE, { recursive: true });
  for (const name of readdirSync(folder))
    await write(join(COMMITTED_EVIDENCE, name), readFileSync(join(folder, name), 'utf8'));
  await write(COMMITTED_VERDICTS, asJson(computeVerdicts(readEvidence(COMMITTED_EVIDENCE))));
}

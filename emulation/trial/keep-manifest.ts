import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { asJson, replaceFiles } from '../../system/replace-files.ts';
import { provenance, resumedBy } from '../runs/provenance.ts';
import type { TrialSettings } from './settings.ts';

const FILE = 'manifest.json';

type Made = { readonly command: string } & Awaited<ReturnType<typeof provenance>>;

/** Writes what made a trial: the command as it was typed first, every commit, versions and units. */
export async function keepManifest(
  outDir: string,
  command: string,
  { film, over }: Pick<TrialSettings, 'film' | 'over'>,
): Promise<void> {
  const { versions, ...made } = await provenance();
  const now: Made = {
    command,
    ...made,
    versions: {
      node: versions.node ?? '',
      film,
      ...(over === 'tcp' && { mahimahi: versions.mahimahi ?? '' }),
    },
    units: 'in the names of the fields; stall_ratio is of the time watched',
  };
  const file = join(outDir, FILE);
  const before = existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Made) : undefined;
  replaceFiles(outDir, { [FILE]: asJson(before ? resumedBy(before, now) : now) });
}
